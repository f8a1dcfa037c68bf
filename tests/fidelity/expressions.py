"""The part of the grammar of generated programs that makes expressions, written as `grammar.py` says."""

from __future__ import annotations

EXPRESSIONS: dict[str, str] = {
    "name": "a || b || c || d || e",
    "attribute": "x || y || _p || __q",
    "number": "0 || 1 || 2 || -3 || 7 || 2.5 || 1j || 10_000 || 0x1F || 1e3 || 2**70",
    "text": """'xy' || '' || "a-b" || b'\\x00y' || '''two
lines''' || r'\\d' || 'é€' '!' || f'‹hole›' || f'<‹hole›|‹hole›>' || 3.14? t'‹hole›' || 3.14? (t'<{‹expr›!r:>{‹number›}}>' + t'‹hole›').values""",
    "hole": """{‹expr›} || {‹name›!r} || {‹expr›!s:>8} || {‹name›=} || {‹number›:{‹number›}} || {‹name›!a:*^12} || {{}}
        || {t(‹n›, ‹name›):‹spec›} || 3.12? {f'{‹expr›}'} || 3.12? {'a' + "b"!r} || {‹name› = !s}""",
    "spec": ">5 || x || .2f || {‹name›} || s || ,",
    "atom": """‹name› || ‹number› || ‹text› || None || True || ... || Spy(‹n›) || ‹name›.‹attribute› || (‹name›, ‹number›)
        || [‹number›, ‹number›, 4] || {'k': ‹name›} || range(3) || Rows() || Turns(‹n›) || K(‹n›)""",
    "expr": """‹atom› || ‹atom› || t(‹n›, ‹expr›) || t(‹n›, ‹expr›) || (‹expr› ‹operator› ‹expr›) || (‹unary› ‹expr›)
        || (‹expr› ‹compare› ‹expr›) || (‹expr› ‹compare› ‹expr› ‹compare› ‹expr›) || (‹expr› and ‹expr›)
        || (‹expr› or ‹expr› or ‹expr›) || (not ‹expr›) || (‹expr› if ‹expr› else ‹expr›) || ‹call› || ‹call›
        || ‹expr›.‹attribute› || ‹expr›[‹index›] || ‹comprehension› || ‹display› || ‹lambda› || noclass? (‹name› := ‹expr›)
        || r(‹n›) || ‹text› || async? (await back(‹expr›)) || gen? (yield ‹expr›) || gen? (yield)
        || generator? (yield from ‹iterable›) || func? locals().get('‹name›', 'unbound') || self? self.‹attribute›""",
    "operator": "+ || - || * || / || // || % || ** || << || >> || & || | || ^ || @ || + || *",
    "unary": "- || + || ~",
    "compare": "< || <= || > || >= || == || != || is || is not || in || not in",
    "index": """‹expr› || ‹expr›:‹expr› || :‹number›:‹number› || ‹expr›, ‹expr› || ::2, ... || ‹expr›:, ‹number›
        || *‹iterable›, || ‹number› || :""",
    "iterable": """‹expr› || [‹expr›, ‹expr›] || (‹expr›,) || range(‹number›) || 'abc' || {1: 2, 3: 4}.items() || Turns(‹n›)
        || Rows() || zip('ab', [1, 2]) || map(str, ‹iterable›) || iter([1, 2, 3]) || [[1, 2], [3, 4]] || {5, 6} || {}
        || enumerate('xy') || (t(‹n›, one) for one in ‹iterable›) || reversed([1, 2]) || K(‹n›) || counted(3)""",
    "call": """f(‹arguments›) || t(‹n›, ‹expr›) || ‹builtin› || ‹method› || (lambda ‹parameters›: ‹expr›)(‹arguments›)
        || Spy(‹n›)(‹arguments›) || K(‹n›).m(‹arguments›) || print(‹expr›, ‹expr›) || print(*‹iterable›, sep='/') || g(‹arguments›)
        || type(‹expr›).__name__ || isinstance(‹expr›, (int, K)) || repr(‹expr›) || super(K, K(1)).__repr__()[:2] || hasattr(‹expr›, 'x')
        || getattr(‹expr›, '‹name›', ‹expr›) || callable(‹expr›) || h(‹iterable›)""",
    "arguments": """|| ‹expr› || ‹expr›, ‹expr› || *‹iterable› || ‹expr›, *‹iterable›, ‹expr› || ‹name›=‹expr› || ‹expr›, b=‹expr›
        || **{'c': ‹expr›} || *‹iterable›, b=‹expr›, **{'d': ‹expr›} || b=‹expr›, *‹iterable› || (‹name› for ‹name› in ‹iterable›)
        || ‹expr›, **‹expr›""",
    "builtin": """sum(‹iterable›) || list(‹iterable›) || sorted(‹iterable›, key=‹lambda›) || sorted(‹iterable›, reverse=True) || max(‹iterable›)
        || min(‹expr›, ‹expr›, key=str) || len(‹expr›) || str(‹expr›) || tuple(‹iterable›) || any(‹iterable›) || all(‹iterable›)
        || dict(‹iterable›) || dict(a=‹expr›, **‹expr›) || set(‹iterable›) || frozenset(‹iterable›) || bytes(‹iterable›) || bool(‹expr›)
        || int(‹expr›) || abs(‹expr›) || round(‹expr›, ‹number›) || divmod(‹expr›, ‹expr›) || pow(‹expr›, ‹number›) || hash(‹expr›)
        || next(iter(‹iterable›), ‹expr›) || sum(‹iterable›, ‹expr›) || max(‹iterable›, default=‹expr›) || list(filter(‹expr›, ‹iterable›))
        || list(map(‹lambda›, ‹iterable›)) || slice(‹expr›, ‹expr›) || format(‹expr›, '>6') || dict.fromkeys(‹iterable›, ‹expr›)
        || list(zip(‹iterable›, ‹iterable›)) || list(enumerate(‹iterable›, ‹expr›)) || reversed(‹expr›) || complex(‹expr›) || float(‹expr›)
        || isinstance(‹expr›, ‹expr›) || ord(‹expr›) || chr(‹expr›) || eval('‹name›') || pow(‹expr›, ‹expr›, ‹number›) || ascii(‹expr›)""",
    "method": """','.join(‹iterable›) || ‹text›.split() || 'a{}b{!r:>4}'.format(‹arguments›) || '%s-%r' % (‹expr›, ‹expr›) || ‹text›.ljust(‹expr›)
        || [3, 1].extend(‹iterable›) || {1}.union(‹iterable›) || {2: 3}.update(‹iterable›) || {'k': 1}.get(‹expr›, ‹expr›) || {1: 2}.pop(‹expr›)
        || [2, 1].index(‹expr›) || 'a-b'.replace('-', str(‹expr›)) || (5).to_bytes(‹expr›, 'big') || [1].append(‹expr›) || 'ab'.zfill(‹expr›)
        || ‹expr›.count(‹expr›) || '%*d' % (‹number›, ‹expr›) || {1, 2}.issubset(‹iterable›) || bytes.fromhex('ff').hex()
        || str.join('.', ‹iterable›) || '%(k)s' % {'k': ‹expr›}""",
    "comprehension": """[‹expr› for ‹loop_target› in ‹iterable›] || {‹expr› for ‹name› in ‹iterable› if ‹expr›} || {‹name›: ‹expr› for ‹loop_target› in ‹iterable›}
        || [‹expr› for ‹name› in ‹iterable› for ‹loop_target› in ‹iterable› if ‹expr› if ‹expr›] || list(‹expr› for ‹loop_target› in ‹iterable›)
        || [[‹expr› for ‹name› in ‹iterable›] for ‹name› in ‹iterable›] || [w() for w in [(lambda: ‹name›) for ‹name› in ‹iterable›]]
        || noclass? [‹name› for one in ‹iterable› if (‹name› := ‹expr›)] || async? [‹expr› async for ‹loop_target› in later(‹iterable›) if ‹expr›]
        || async? [await back(one) for one in ‹iterable›] || sum(‹expr› for ‹name› in ‹iterable›) || any(‹expr› for ‹name› in ‹iterable›)
        || async? {one: ‹expr› async for one in later(‹iterable›)}""",
    "loop_target": "‹name› || ‹name› || ‹name›, ‹name› || (‹name›, *‹name›) || [‹name›, (‹name›, *c)] || *‹name›,",
    "display": """[‹expr›, ‹expr›] || (‹expr›, *‹iterable›) || [*‹iterable›, ‹expr›, *‹iterable›] || {‹expr›, *‹iterable›} || {‹expr›: ‹expr›, ‹expr›: ‹expr›}
        || {**‹expr›, 'z': ‹expr›} || {'k': ‹expr›, **{‹expr›: ‹expr›}} || (‹expr›,) || [] || {*()}""",
    "lambda": """(lambda ‹name›: ‹expr›) || (lambda ‹name›=‹expr›, *r: ‹expr›) || (lambda *r, **k: (‹expr›, len(r))) || str || (lambda: ‹expr›)""",
    "parameters": """|| a || a, b=‹expr› || a, /, b=2, *, c=‹expr› || *a || a=‹expr›, *b, d=3, **e || **d || a, *, b=‹expr› || b, /""",
    "annotated": """|| a: int || a: t(‹n›, int) = ‹expr›, *b: ‹expr› || a, b: 'later' = None, *, c: list[int] = ‹expr› || *a: *tuple[int, str] || **d: ‹expr›""",
    "target": """‹name› || ‹name› || ‹expr›.‹attribute› || ‹name›.‹attribute› || ‹name›[‹index›] || ‹expr›[‹index›] || ‹name›, ‹target›
        || (‹target›, ‹name›) || [‹target›, ‹target›] || ‹name›, *‹name› || (‹name›, (‹target›, *‹name›)) || *‹name›, ‹target› || self? self.‹attribute›
        || self? self.‹attribute›, ‹target› || t(‹n›, s).‹attribute› || t(‹n›, [1, 2, 3])[t(‹n›, ‹number›)] || *s.‹attribute›, ‹target›""",
    "place": """‹name› || ‹name› || s.‹attribute› || ‹name›.‹attribute› || ‹name›[‹index›] || t(‹n›, s).‹attribute› || t(‹n›, [1, 2, 3])[t(‹n›, ‹expr›)]
        || self? self.‹attribute› || self? self.‹attribute› || s[‹index›] || ‹expr›[‹index›]""",
}
