"""Ways through numpy and pandas to memory, files and code, with the cage off."""

from __future__ import annotations

import importlib.util

import pytest

from tests.snippet.running import Step

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="numpy and pandas are not installed"),
]

_ADDRESS = "{'data': (id(1), True), 'shape': (8,), 'typestr': '|u1', 'version': 3}"
_IMPORTS = "import numpy as np, pandas as pd, io\ndf = pd.DataFrame({'a': [1, 2]})\n"

WAYS = {
    "an address, by a class": f"class A: __array_interface__ = {_ADDRESS}\nnp.array(A()).tobytes()",
    "an address, by a property": f"class A:\n    @property\n    def __array_interface__(self): return {_ADDRESS}\nnp.array(A())",
    "an address, by __getattr__": f"class A:\n    def __getattr__(self, name):\n        if name == '__array_interface__': return {_ADDRESS}\n"
    "        raise AttributeError(name)\nassert np.array(A()).dtype != object",
    "an address, by __getattribute__": f"class A:\n    def __getattribute__(self, name):\n"
    f"        if name == '__array_interface__': return {_ADDRESS}\n        raise AttributeError(name)\nassert np.array(A()).dtype != object",
    "an address, by a dictionary's item": f"class A(dict): __getattr__ = dict.__getitem__\n"
    f"a = A()\na['__array_interface__'] = {_ADDRESS}\nassert np.array(a).dtype != object",
    "an address, by an instance's dictionary": f"class A: pass\na = A()\nvars(a)['__array_interface__'] = {_ADDRESS}\n"
    "assert np.array(a).dtype != object",
    "an address, by a namespace": f"import types\nassert np.array(types.SimpleNamespace(**{{'__array_interface__': {_ADDRESS}}})).dtype != object",
    "an address, by a namespace's dictionary": "import types\nn = types.SimpleNamespace()\n"
    f"vars(n)['__array_interface__'] = {_ADDRESS}\nassert np.array(n).dtype != object",
    "an address, by the type of a namespace": "import asyncio\nasync def f(): return asyncio.get_running_loop()\n"
    f"assert np.array(type(asyncio.run(f()))(**{{'__array_interface__': {_ADDRESS}}})).dtype != object",
    "an address, by a node": f"import ast\nassert np.array(ast.Name(**{{'__array_interface__': {_ADDRESS}}})).dtype != object",
    "an address, by a log record": "import logging\nr = logging.getLogger('a').makeRecord('a', 1, 'f', 1, 'm', (), None, "
    f"extra={{'__array_interface__': {_ADDRESS}}})\nassert np.array(r).dtype != object",
    "an address, by a thread": "import email.policy, threading\nmade = email.policy.default.clone(**{'__class__': threading.Thread, "
    f"'__dict__': {{'__array_interface__': {_ADDRESS}}}}})\nassert np.array(made).dtype != object",
    "an address, by a thread's attributes": "import threading\nt = threading.Thread()\n"
    f"vars(t).update(__array_interface__={_ADDRESS})\nassert np.array(t).dtype != object",
    "an address, by a label": f"assert np.array(pd.Series({{'__array_interface__': {_ADDRESS}}})).dtype != object",
    "an address, by a wrapped instance": f"import functools\nclass A: pass\na = A()\nvars(a)['__array_interface__'] = {_ADDRESS}\n"
    "def f(): pass\nfunctools.update_wrapper(f, a, assigned=())\nassert np.array(f).dtype != object",
    "an address, by a functional enum": f"import enum\nE = enum.Enum('E', {{'__array_interface__': {_ADDRESS}, 'X': 1}})\nnp.array(E.X)",
    "an address, by a protocol's heir": "import typing\nclass P(typing.Protocol):\n    def __getattr__(self, name):\n"
    f"        if name == '__array_interface__': return {_ADDRESS}\n        raise AttributeError(name)\n"
    "class A(P): pass\nassert np.array(A()).dtype != object",
    "an address, by a class that was passed on": "class Leak:\n    def __set_name__(self, owner, name):\n        global L\n"
    f"        L = owner\n        raise ValueError\ntry:\n    class A:\n        l = Leak()\n        def __getattr__(self, name):\n"
    f"            if name == '__array_interface__': return {_ADDRESS}\n            raise AttributeError(name)\n"
    "except Exception: pass\nassert np.array(L()).dtype != object",
    "a type's fields": "d = np.dtype([('a', 'i8')])\nclass E:\n    def __eq__(self, o):\n        o['a'] = (np.dtype('O'), 0)\n"
    "        return True\nd.fields == E()\nassert np.array([(1,)], dtype=d)['a'].dtype == 'O'",
    "numpy's own function, by dispatch": "class A:\n    def __array_function__(self, f, types, args, kw):\n        global found\n"
    "        found = f\nnp.save('a', A())\nfound('/etc/reached', 1)",
    "numpy's own function, by like": "class A:\n    def __array_function__(self, f, types, args, kw):\n        global found\n"
    "        found = f\nnp.loadtxt('a', like=A())\nfound('/etc/hostname', dtype=str)",
    "an address, by setattr": f"class A: pass\nsetattr(A(), '__array_interface__', {_ADDRESS})",
    "an address, by type": f"type('A', (), {{'__array_interface__': {_ADDRESS}}})",
    "an address, read": "np.arange(3).__array_interface__",
    "an address, by ctypes": "np.arange(3).ctypes.data",
    "a view without bounds": "np.lib.stride_tricks.as_strided(np.arange(3), (100,), (8,))",
    "an array from memory": "np.ndarray((8,), 'u1', buffer=id(1))",
    "memmap": "np.memmap('a', mode='w+', shape=(1,))",
    "load of pickles": "np.save('a.npy', np.array([1]))\nnp.load('a.npy', allow_pickle=True)",
    "load of another folder": "np.load('/etc/hostname')",
    "loadtxt": "np.loadtxt('/etc/hostname', dtype=str)",
    "loadtxt of an address": "np.loadtxt('http://127.0.0.1:1/')",
    "genfromtxt": "np.genfromtxt('/etc/hostname', dtype=str)",
    "fromfile": "np.fromfile('/etc/hostname')",
    "fromregex": "np.fromregex('/etc/hostname', '.', dtype='U1')",
    "save": "np.save('/etc/reached', 1)",
    "savez by keyword": "np.savez(file='/etc/reached', a=1)",
    "savetxt": "np.savetxt('/etc/reached', [1])",
    "tofile": "np.arange(3).tofile('/etc/reached')",
    "tofile, unbound": "np.ndarray.tofile(np.arange(3), '/etc/reached')",
    "tofile, by getattr": "getattr(np.arange(3), 'to' + 'file')('/etc/reached')",
    "tofile, by methodcaller": "import operator\noperator.methodcaller('tofile', '/etc/reached')(np.arange(3))",
    "dump": "np.arange(3).dump('a.pkl')",
    "dumps": "np.arange(3).dumps()",
    "DataSource": "np.lib.npyio.DataSource('/').open('/etc/hostname')",
    "numpy's sys": "np.sys",
    "numpy's os by testing": "np.testing.os",
    "numpy's ctypeslib": "import numpy.ctypeslib",
    "numpy's f2py": "import numpy.f2py",
    "numpy's distutils": "import numpy.distutils",
    "numpy's core": "import numpy._core.multiarray",
    "read_pickle": "pd.read_pickle('a')",
    "to_pickle": "df.to_pickle('a.pkl')",
    "to_pickle, of a series": "df.a.to_pickle('a.pkl')",
    "to_pickle, by getattr": "getattr(df, 'to_pickle')('a.pkl')",
    "to_pickle, by a text": "df.agg('to_pickle')",
    "to_pickle, by apply": "df.apply('to_pickle', path='a')",
    "to_pickle, by groupby": "df.groupby('a').agg('to_pickle')",
    "a method by a text, private": "df.agg('_constructor')",
    "to_csv elsewhere": "df.to_csv('/etc/reached.csv')",
    "to_csv by keyword": "df.to_csv(path_or_buf='/etc/reached.csv')",
    "to_json elsewhere": "df.to_json('/etc/reached.json')",
    "to_html elsewhere": "df.to_html('/etc/reached.html')",
    "to_sql": "df.to_sql('t', 'sqlite:///a.db')",
    "read_csv elsewhere": "pd.read_csv('/etc/hostname')",
    "read_csv of an address": "pd.read_csv('http://127.0.0.1:1/')",
    "read_csv by keyword": "pd.read_csv(filepath_or_buffer='/etc/hostname')",
    "read_csv of a path": "import pathlib\npd.read_csv(pathlib.Path('/etc/hostname'))",
    "read_table": "pd.read_table('/etc/hostname')",
    "read_fwf": "pd.read_fwf('/etc/hostname')",
    "read_json": "pd.read_json('/etc/hostname')",
    "read_html": "pd.read_html('file:///etc/hostname')",
    "read_xml with a style sheet": "pd.read_xml(io.StringIO('<a><b>1</b></a>'), stylesheet='/etc/hostname')",
    "read_sql": "pd.read_sql('select 1', 'sqlite://')",
    "read_clipboard": "pd.read_clipboard()",
    "eval": "pd.eval('1 + 1')",
    "eval of a frame": "df.eval('a.__class__')",
    "query with a variable": "x = 1\ndf.query('a == @x.__class__')",
    "query with an attribute": "df.query('a.__class__ == 1')",
    "query with a call": "df.query('a.to_pickle(\"x\")')",
    "query, python engine": "df.query('a.map(\"{0.__class__}\".format)', engine='python')",
    "a style": "df.style.format('{0.__class__}')",
    "a formatter": "df.to_string(formatters=['{0.__class__}'.format])",
    "map of a format": "df.a.map('{0.__class__}'.format)",
    "pipe": "df.pipe(getattr, '__class__')",
    "pandas' compat": "import pandas.compat",
    "pandas' io": "import pandas.io.common",
    "pandas' core": "import pandas.core.computation.eval",
    "pandas' os": "pd.io.common.os",
    "an accessor": "pd.api.extensions.register_dataframe_accessor('x')(print)",
    "a frame's class changed": "pd.DataFrame.x = 1",
}


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS)
def test_arrays_and_tables_lead_nowhere_outside(source):
    outcome = Step(check_first=False, imports=("numpy", "pandas")).run(_IMPORTS + source)
    assert outcome.failure is not None
    assert outcome.failure.kind in ("raised", "refused")


def test_a_class_that_answers_for_its_attributes_works_beside_numpy():
    source = (
        "class A(dict): __getattr__ = dict.__getitem__\n"
        "class B:\n    def __getattr__(self, name):\n        if name == 'y': return name\n        raise AttributeError\n"
        "class C:\n    def __init__(self): self.x = 1\n"
        "[A(x=1).x, B().y, C().x, len(np.array([B(), C()], dtype=object)), '__array_interface__' in vars(C)]"
    )
    outcome = Step(check_first=False, imports=("numpy", "pandas")).run(_IMPORTS + source)
    assert outcome.value == [1, "y", 1, 2, False]
