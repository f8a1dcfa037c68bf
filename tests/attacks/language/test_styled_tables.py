"""Tables of pandas with a look: written as pandas writes them, by no file and no text that leads elsewhere."""

from __future__ import annotations

import importlib.util

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("pandas", "jinja2", "matplotlib")),
    reason="pandas, jinja2 and matplotlib are not installed",
)

_FRAME = "import pandas as pd, types, weakref, copy\ndf = pd.DataFrame({'a': [1, 2], 'b': [0.5, -1.25]})\n"
GIVEN = {
    "texts and functions": "df.style.format({'b': '{:.1f}', 'a': lambda v: f'<{v}>'}).hide(axis='index').to_string()",
    "a page": "df.style.map(lambda v: 'color: red' if v < 0 else '').set_caption('c').to_html(table_uuid='t')",
    "a file": "df.style.to_html('t.html', table_uuid='t')\nopen('t.html').read()",
    "colours of matplotlib": "df.style.background_gradient('viridis').bar(color='red').to_html(table_uuid='t')",
    "labels": "df.style.relabel_index(['x', 'y ({})']).format_index(str.upper, axis=1).to_latex()",
    "labels of several levels": "df.set_index(['a', 'b']).style.relabel_index([('x', '{:.2f}'), ['y', 'z']]).to_string()",
    "copies": "copy.deepcopy(df.style.highlight_max()).to_latex(), df.style.concat(df.agg(['sum']).style).to_string()",
}
LEADS_ELSEWHERE = {
    "a format": "df.style.format('{0.__class__}').to_html()",
    "a format of a column": "df.style.format({'a': '{0.__class__}'}).to_html()",
    "a format of labels": "df.style.format_index('{0.__class__}').to_html()",
    "a label": "df.style.relabel_index(['{0.__class__}', 'x']).to_html()",
    "a label of a level": "df.set_index(['a', 'b']).style.relabel_index([('x', '{0.__class__}')] * 2).to_html()",
    "a label that comes late": "class L(list):\n    def __iter__(self): return iter(['x', 'y'])\n"
    "    def __getitem__(self, at): return '{0.__class__}'\n"
    "assert 'class' in df.style.relabel_index(L('ab')).to_html().split('</style>')[-1].replace('class=', '')",
    "a label of a level that comes late": "class L:\n    def __getitem__(self, at): return '{0.__class__}'\n"
    "df.set_index(['a', 'b']).style.relabel_index([L(), L()]).to_html()",
    "an option": "with pd.option_context('styler.format.formatter', '{0.__class__}'): df.style.to_html()",
    "the environment": "df.style.env",
    "the environment, by the class": "type(df.style).env",
    "the environment, by an alias": "types.GenericAlias(type(df.style), int).env",
    "the loader": "getattr(df.style, 'loader')",
    "the folder of the templates": "df.style.this_dir",
    "the templates": "df.style.template_dir",
    "a template": "df.style.template_html",
    "a template, by a proxy": "styled = df.style\nweakref.proxy(styled).template_html_table",
    "a template, by an alias": "types.GenericAlias(type(df.style), int).template_string",
    "a template, by a copy": "copy.copy(df.style).template_latex",
    "a template, by a pattern": "match df.style:\n    case object(template_html=t): t",
    "a template of one's own": "type(df.style).from_custom_template('.', 'x.tpl')",
    "values for a template": "df.style.to_html(body=[df])",
    "functions of the inside": "df.style.export()",
    "functions from outside": "df.style.use({'apply': [(print, (), {})]})",
    "a class built on it": "class S(type(df.style)): pass",
    "a file elsewhere": "df.style.to_html('/etc/reached.html')",
    "a text elsewhere": "df.style.to_string('/etc/reached.txt')",
    "a page for TeX elsewhere": "df.style.to_latex('/etc/reached.tex')",
    "a page for Typst elsewhere": "df.style.to_typst('/etc/reached.typ')",
    "a sheet elsewhere": "df.style.to_excel('/etc/reached.xlsx')",
}


@pytest.mark.parametrize("source", GIVEN.values(), ids=GIVEN)
def test_a_styled_table_is_what_pandas_makes_of_it(source: str) -> None:
    names: dict[str, object] = {}
    *lines, last = (_FRAME + source).split("\n")
    exec("\n".join(lines).replace("df.style.to_html('t.html', table_uuid='t')", ""), names)
    asked = last.replace("open('t.html').read()", "df.style.to_html(table_uuid='t')")
    outcome = Step(imports=("pandas", "matplotlib")).run(_FRAME + source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value == eval(asked, names)


@pytest.mark.parametrize("source", LEADS_ELSEWHERE.values(), ids=LEADS_ELSEWHERE)
def test_a_styled_table_leads_nowhere_else(source: str) -> None:
    failure = Step(check_first=False, imports=("pandas",)).run(_FRAME + source).failure
    assert failure is not None
    assert failure.type in (
        "AttributeError",
        "AssertionError",
        "Refused",
        "RuntimeError",
        "PermissionError",
        "TypeError",
    ), failure
