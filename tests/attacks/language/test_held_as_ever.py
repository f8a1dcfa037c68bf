"""What is held, set up once or looked at first says what it says in CPython."""

from __future__ import annotations

from tests.fidelity.comparing import printed_in_folders

AS_EVER = """
import asyncio, bz2, codecs, collections, copy, io, lzma, types, xml.etree.ElementTree as E
class Own:
    def __eq__(self, other): return True
    def __hash__(self): return 1
class Mine(E.Element): pass
def tried(*functions):
    for function in functions:
        try: print(function())
        except Exception as error: print(type(error).__name__, error)
def said(element): return E.tostring(element) if E.iselement(element) else [*map(said, element)] if type(element) is list else element
e = E.XML('<a x="1">t<b n="2">u</b><c><b/></c>v<!-- w --><d/></a>')
e.append(E.Comment('said')); e.append(E.ProcessingInstruction('p', 'q'))
tried(lambda: said(e.find('b')), lambda: said(e.find('none')), lambda: said(e.find('.//b')), lambda: said(e.findall('b')), lambda: said(e.findall('*')),
      lambda: e.findtext('b'), lambda: e.findtext('d'), lambda: e.findtext('x', 'none'), lambda: [each.tag for each in e.iter('b')], lambda: len([*e.iter()]),
      lambda: len([*e.iter('*')]), lambda: [*e.iter(tag='none')], lambda: e.get('x'), lambda: e.get('y'), lambda: e.get('y', default=5), lambda: e.set('y', '6'),
      lambda: e.attrib, lambda: said(e[0]), lambda: said(e[-3:]), lambda: said(e[::2]), lambda: e[9], lambda: e['a'], lambda: e.find(5), lambda: e.remove(5),
      lambda: e.remove(E.Element('b')), lambda: e.remove(e[0]), lambda: said(e), lambda: said(copy.deepcopy(e)), lambda: said(copy.copy(e)),
      lambda: e.__setitem__(slice(0, 1), [E.Element('n'), E.Element('o')]), lambda: e.__setitem__(slice(None, None, 2), 5), lambda: e.__setitem__(0, 5),
      lambda: e.__setitem__(slice(0, 2), (E.Element(n) for n in 'xy')), lambda: e.__delitem__(slice(1, 2)), lambda: e.__delitem__(-1), lambda: said(e), lambda: e.__delitem__(True))
tried(lambda: type(copy.deepcopy(Mine('m', a='b'))).__name__, lambda: said(copy.deepcopy([e, e])), lambda: Mine('m').find('b'), lambda: E.Element(Own()).iter('b').__next__().tag == 5)
builder = E.TreeBuilder(insert_comments=True, comment_factory=E.Comment, element_factory=lambda tag, attributes: E.Element(tag, attributes))
builder.start('a', {'b': 'c'}); builder.data('text'); builder.comment('so'); builder.start('d', {}); builder.end('d'); builder.end('a')
tried(lambda: said(builder.close()), lambda: E.TreeBuilder(5).start('a', {}), lambda: E.TreeBuilder(none=1))
class Static(staticmethod): pass
class Doing:
    @staticmethod
    def one(): "says"; return 1
    @classmethod
    def two(cls): return cls.__name__
    three = Static(lambda: 3)
tried(lambda: (Doing.one(), Doing().two(), Doing.three(), Doing.one.__doc__, Doing.one.__name__), lambda: staticmethod(), lambda: classmethod(1, 2))
tried(lambda: bz2.decompress(bz2.compress(b'x' * 99, 1)), lambda: bz2.BZ2Compressor(0), lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ).decompress(lzma.compress(b'z')), lambda: lzma.LZMACompressor(preset=99))
tried(lambda: io.TextIOWrapper(io.BytesIO(b'abc'), 'ascii').read(), lambda: io.TextIOWrapper(5), lambda: hash(memoryview(b'ab')) == hash(b'ab'), lambda: hash(memoryview(bytearray(1))))
tried(*(lambda f=f: f(UnicodeEncodeError('ascii', 'a\\xe9\\u20ac', 1, 3, 'why')) for f in (codecs.ignore_errors, codecs.replace_errors, codecs.xmlcharrefreplace_errors, codecs.backslashreplace_errors, codecs.namereplace_errors)))
tried(lambda: codecs.ignore_errors(5), lambda: codecs.replace_errors(UnicodeDecodeError('u', b'ab', 0, 2, '')), lambda: 'a\\xe9'.encode('ascii', 'namereplace'))
counted = collections.defaultdict(list)
counted['a'].append(1)
tried(lambda: counted, lambda: collections.defaultdict()[5], lambda: collections.defaultdict()[5, 6], lambda: collections.defaultdict(None, a=1)['a'], lambda: collections.defaultdict(lambda: 1 / 0)[1])
tried(lambda: slice(1, None), lambda: list[int], lambda: dict[str, list[int]] | None, lambda: OSError(2, 'no', 'a', None, 'b'), lambda: OSError('so'), lambda: FileNotFoundError(2, 'no'), lambda: str(OSError()))
queue = collections.deque(range(200))
tried(lambda: queue.index(150), lambda: queue.index(150, 100), lambda: queue.index(150, -60, -40), lambda: queue.index(5, 10), lambda: queue.index(5, 0, 3), lambda: queue.index(5, 'a'),
      lambda: queue.index(199, 0, 10**30), lambda: queue.index(0, -10**30), lambda: queue.index(5, None), lambda: queue.index(3, 5, 2), lambda: queue.remove(150), lambda: queue[150],
      lambda: queue.remove('x'), lambda: queue.remove(0), lambda: queue.remove(199), lambda: (queue[0], queue[-1], len(queue)), lambda: queue.index(3.0, True))
class Growing:
    def __eq__(self, other): queue.append(1)
queue[-1] = Growing()
tried(lambda: queue.index('x'), lambda: queue.remove('x'))
import datetime, json, re, time, zoneinfo
def states(text, name):
    decoder, found = codecs.getincrementaldecoder(name)(), ''
    for byte in text.encode(name):
        state = decoder.getstate()
        decoder = codecs.getincrementaldecoder(name)()
        decoder.setstate(state)
        found += decoder.decode(bytes([byte]))
    return found
def sought(text, name):
    file = io.TextIOWrapper(io.BytesIO(text.encode(name)), name)
    file.readline()
    at, _ = file.tell(), file.read()
    file.seek(at)
    return file.read()
tried(lambda: states('a\\u3042b', 'iso2022_jp'), lambda: states('\\ud55c a', 'iso2022_kr'), lambda: states('\\xe4\\ud55c', 'iso2022_jp_2'), lambda: states('\\u3042', 'hz'),
      lambda: sought('a\\u3042\\nb\\u3044\\nc', 'iso2022_jp'), lambda: codecs.getincrementaldecoder('iso2022_jp')().setstate(5), lambda: codecs.getincrementaldecoder('iso2022_jp')().setstate((b'',)))
tried(lambda: datetime.date(2020, 1, 2).ctime(), lambda: datetime.datetime(1, 1, 1).ctime(), lambda: datetime.date(b'\\x07\\xe4\\1\\1').ctime(), lambda: copy.copy(datetime.datetime(9999, 12, 31)).ctime())
tried(lambda: json.dumps([{'a': [1, {}]}], check_circular=False), lambda: json.dumps({'b': (1, 2.5)}, check_circular=False, sort_keys=True), lambda: json.JSONEncoder(check_circular=False).encode(['x']))
text = io.TextIOWrapper(io.BytesIO('a\\u3042\\nb\\u3044\\nc'.encode()), 'utf-8')
tried(lambda: text.seek(0), lambda: text.readline(), lambda: text.seek(text.tell()), lambda: text.read(), lambda: text.seek(0, 2), lambda: text.seek(-1), lambda: text.seek('a'), lambda: text.seek(None), lambda: text.seek(1, 1), lambda: text.seek(0, 5), lambda: text.seek(True))
scanner = re.Scanner([(r'[a-z]+', lambda found, word: word), (r'(?:\\d)+', lambda found, word: int(word)), (r'\\s', None)], flags=re.IGNORECASE)
tried(lambda: scanner.scan('aB 12 c'), lambda: re.Scanner([('a', 1)]).scan('aab'), lambda: re.Scanner([(b'a', 1)]).scan(b'ab'), lambda: re.Scanner([('(', 1)]), lambda: re.Scanner([('a',)]))
tried(lambda: time.gmtime(0), lambda: collections.defaultdict(list, a=[1]), lambda: datetime.timezone(datetime.timedelta(hours=1), 'one'), lambda: datetime.timezone.utc, lambda: [time.gmtime(0)])
class Zone(zoneinfo.ZoneInfo): pass
tried(lambda: repr(Zone('UTC')), lambda: Zone('UTC') is Zone('UTC'), lambda: Zone.clear_cache(), lambda: Zone.clear_cache(only_keys=['UTC']), lambda: repr(Zone.no_cache('UTC')))
for numbers in (b'ab', [1, 2], range(3), 'ab', 5, [999], (x for x in (1, 2)), memoryview(b'c')):
    grown = bytearray(b'z')
    tried(lambda: grown.extend(numbers), lambda: grown)
async def main():
    future, called = asyncio.get_running_loop().create_future(), []
    future.add_done_callback(called.append); future.add_done_callback(print)
    print(future.remove_done_callback(called.append), future.remove_done_callback(len))
    future.remove_done_callback(print); future.set_result(5)
    return await future
asyncio.run(main())
"""


def test_what_is_held_comes_to_what_it_comes_to_in_a_cpython_of_its_own(tmp_path):
    ours, plain = printed_in_folders(tmp_path, AS_EVER)
    assert ours.splitlines() == plain.splitlines()
