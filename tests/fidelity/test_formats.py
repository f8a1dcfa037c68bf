"""E-mails, lists of properties, sound, kinds of files, command lines and words of sources, as in plain CPython."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "a message that is read": '''
import copy, email, email.utils
from email import policy
from email.header import decode_header, make_header
from email.parser import BytesParser, Parser
raw = """From: "Alice B" <a@x.com>
To: bob@y.org, Carol <c@z.net>
Subject: =?utf-8?b?SMOpbGxv?= world
Date: Mon, 05 Feb 2024 10:00:00 +0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

pre
--b
Content-Type: text/plain; charset="utf-8"

Hello
--b
Content-Type: text/csv; name="d.csv"
Content-Disposition: attachment; filename="d.csv"
Content-Transfer-Encoding: base64

YSxiCjEsMgo=
--b--
"""
m = email.message_from_string(raw)
print(m["subject"], m.keys(), m.is_multipart(), m.get_boundary(), make_header(decode_header(m["Subject"])), m.preamble)
for p in m.walk(): print(p.get_content_type(), p.get_filename(), p.get_payload(decode=True), p.get_content_charset())
n = email.message_from_string(raw, policy=policy.default)
print(n["subject"], n["to"].addresses[1].addr_spec, n["from"].addresses[0].display_name, n["date"].datetime, n.defects)
print(n.get_body().get_content(), [(a.get_filename(), a.get_content()) for a in n.iter_attachments()], repr(n["to"]))
print(copy.deepcopy(n).as_string() == n.as_string(), Parser().parsestr("A: b")["a"], type(n).__name__)
print(BytesParser(policy=policy.default).parsebytes(raw.encode())["subject"])
class Titled(email.message.EmailMessage):
    def title(self): return self["subject"].upper()
print(email.message_from_string(raw, _class=Titled, policy=policy.default).title())
print(email.utils.parseaddr("X Y <x@y>"), email.utils.getaddresses(["a <b@c>, d@e"]), email.utils.formatdate(0))
email.utils.format_datetime(email.utils.parsedate_to_datetime(m["date"]))
''',
    "a message that is written": """
from email import encoders, policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
e = EmailMessage()
e["Subject"], e["From"], e["To"] = "Hi é", Address("É", "e", "x.org"), "b@y"
e.set_content("plain é\\n")
e.add_alternative("<p>x</p>", subtype="html")
e.add_attachment(b"123", maintype="application", subtype="octet-stream", filename="f.bin")
e.set_boundary("zz"), e.get_payload()[0].set_boundary("yy")
e.preamble = "for old readers"
print(e.as_string(), bytes(e)[:20])
for name, value in (("Subject", "twice"), ("X", "a\\nb")):
    try: e[name] = value
    except ValueError as error: print(error)
m = MIMEMultipart("alternative")
m["Subject"] = "é"
m.attach(MIMEText("x", "plain", "utf-8")), m.attach(MIMEText("<b>", "html")), m.set_boundary("q")
a = MIMEBase("application", "x")
a.set_payload(b"abc"), encoders.encode_base64(a)
a.add_header("Content-Disposition", "attachment", filename="a.x")
print(m, a, policy.SMTP.linesep, policy.default.clone(max_line_length=20).max_line_length)
""",
    "kinds of files": """
import mimetypes
for name in ("a/b.csv", "x.tar.gz", "x.json", "data:text/x,y", "none", "p.pict"): print(mimetypes.guess_type(name))
print(mimetypes.guess_extension("text/html"), mimetypes.guess_type("x.pict", strict=False), mimetypes.types_map[".json"])
""",
    "properties": """
import datetime, plistlib
d = {"a": 1, "b": [True, 2.5, b"xy", datetime.datetime(2024, 1, 1)], "c": {"d": "é"}}
print(plistlib.dumps(d).decode(), plistlib.loads(plistlib.dumps(d, fmt=plistlib.FMT_BINARY)) == d, plistlib.UID(3))
try: plistlib.loads(b"bad")
except plistlib.InvalidFileException as e: print(repr(e))
""",
    "sound": """
import io, struct, wave
b = io.BytesIO()
with wave.open(b, "wb") as w:
    w.setnchannels(1), w.setsampwidth(2), w.setframerate(8000)
    w.writeframes(b"".join(struct.pack("<h", i * 9) for i in range(100)))
with wave.open("t.wav", "wb") as w: w.setparams((2, 1, 100, 0, "NONE", "not compressed")), w.writeframes(b"abcd")
b.seek(0)
for name in (b, "t.wav"):
    with wave.open(name) as r: print(r.getparams(), r.readframes(3), r.tell())
try: wave.open(io.BytesIO(b"zz"))
except (wave.Error, EOFError) as e: print(repr(e))
""",
    "calls at their time": """
import sched
t = [0]
s = sched.scheduler(lambda: t[0], lambda d: t.__setitem__(0, t[0] + d))
s.enter(5, 1, print, ("b",)), s.enter(1, 1, print, argument=("a",), kwargs={"end": "!\\n"})
s.cancel(s.enterabs(3, 1, print, ("never",)))
print(len(s.queue), s.empty(), s.run(), t)
r = sched.scheduler()
r.enter(0, 2, print, ("second",)), r.enter(0, 1, print, ("first",))
r.run()
""",
    "command lines": """
import getopt
print(getopt.getopt(["-a", "1", "--long=x", "rest"], "a:", ["long="]), getopt.gnu_getopt(["x", "-a", "1"], "a:"))
try: getopt.getopt(["-z"], "a")
except getopt.GetoptError as e: print(e, e.opt)
""",
    "words of a command line": """
import io, shlex
print(list(shlex.shlex("a 'b c' d;e # x", posix=True, punctuation_chars=True)))
lexer = shlex.shlex("a=b c:d", posix=True)
lexer.whitespace_split, lexer.commenters = True, ""
lexer.whitespace += ":"
print(list(lexer), lexer.eof, lexer.lineno)
lexer = shlex.shlex(io.StringIO("key = v.w # c\\nother"))
lexer.wordchars += "."
lexer.push_token("first")
print([*iter(lexer.get_token, lexer.eof)], lexer.error_leader(), isinstance(lexer, shlex.shlex), type(lexer).__name__)
lexer.push_source("pushed text", "name")
print(list(lexer))
try: list(shlex.shlex("'open"))
except ValueError as error: print(error)
""",
    "cookies": """
from http.cookies import BaseCookie, CookieError, Morsel, SimpleCookie
jar = SimpleCookie("q=1; r=\\"two words\\"")
jar["a"] = "1"
jar["a"]["path"], jar["a"]["httponly"] = "/", True
print(jar.output(), jar["a"].OutputString(), [(key, one.value) for key, one in jar.items()], repr(jar["r"]))
for act in (lambda: jar.load("b=2"), lambda: jar.__setitem__("bad key", 1), lambda: jar["a"].__setitem__("none", 1)):
    try: print(act())
    except CookieError as error: print(error)
class Loud(BaseCookie):
    def value_encode(self, value): return value, value.upper()
loud, morsel = Loud(), Morsel()
loud["k"] = "mix"
morsel.set("key", "v", "v")
print(loud, loud["k"].value, morsel, morsel == morsel.copy(), morsel.isReservedKey("Path"))
""",
    "words of a source": """
import io, token, tokenize
src = "x = 1  # c\\ndef f():\\n    return x\\n"
for t in tokenize.generate_tokens(io.StringIO(src).readline): print(tokenize.tok_name[t.type], t.string, t.start, t.line)
print(tokenize.untokenize(tokenize.generate_tokens(io.StringIO(src).readline)) == src, token.tok_name[1])
print([t.string for t in tokenize.tokenize(io.BytesIO(src.encode()).readline) if t.type == token.COMMENT])
""",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_read_and_written_is_what_it_is_in_cpython(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where CPython writes its files
    ours, _ = in_ours(source.lstrip("\n"))
    assert ours == in_cpython(source.lstrip("\n"))
