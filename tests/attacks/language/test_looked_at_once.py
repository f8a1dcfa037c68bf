"""Classes and names that say one thing to the check and another to who uses them."""

from __future__ import annotations

import textwrap

import pytest

_BEGIN = (
    "import collections, configparser, dataclasses, enum, functools, types\n"
    "class T(tuple): pass\n"
    "class O:\n    def __init__(self, base): self.base = base\n"
    "    def __mro_entries__(self, bases): return (self.base,)\n"
    "class F:\n    @property\n    def __class__(self):\n"
    "        held['__reduce__'] = lambda self: 'x'\n        return type(functools.lru_cache(print))\n"
    "    def __call__(self, cls): return object.__new__(cls)\n"
    "word = '__red' + 'uce__'\nheld = None\ndef keep(names):\n    global held\n    held = names\n    held['__new__'] = F()\n"
)

#: Each makes a class of what no class may be made of, or on what no class may be built.
CLASSES = {
    "a metaclass, on bases of a class of their own": "type('M', T((type,)), {'mro': lambda cls: [cls, object]})",
    "a sequence that counts, on such bases": "type('S', T((str,)), {'__index__': lambda self: 3})",
    "new_class": "types.new_class('S', T((str,)), {}, lambda names: names.update(__index__=lambda self: 3))",
    "what enums have in place of property": "type('P', T((enum.property,)), {})",
    "a made dataclass that counts": "dataclasses.make_dataclass('S', [], bases=(O(str),), "
    "namespace={'__index__': lambda self: 3})",
    "a made dataclass on a property of enums": "dataclasses.make_dataclass('S', [], bases=(O(enum.property),), eq=False)",
}


@pytest.mark.parametrize("source", CLASSES.values(), ids=CLASSES)
def test_a_class_is_built_on_the_bases_that_were_checked(run, source):
    assert run(_BEGIN + source).failure.type == "TypeError"


@pytest.mark.parametrize(
    "source",
    [
        "held = collections.OrderedDict()\nkeep(held)\nA = type('A', (), held)",
        "A = types.new_class('A', (), {}, keep)",
    ],
    ids=["an ordered dictionary", "new_class"],
)
def test_a_class_is_made_of_the_names_that_were_checked(run, source):
    """A class that is no class of the snippet's, as far as one can tell, would be as bad."""
    told = run(_BEGIN + f"try:\n{textwrap.indent(source, '    ')}\nexcept TypeError: A = T\nword in A.__dict__")
    assert (told.failure, told.value) == (None, False)


def test_what_lists_the_slots_of_a_class_changes_no_name_that_was_checked(run):
    slots = "class L:\n    def __iter__(self):\n        view['__match_args__'] = (word,)\n        return iter(())\n"
    body = "class A:\n    global view\n    view = locals()\n    __slots__ = L()\n"
    assert run(_BEGIN + slots + body).failure.type == "TypeError"


def test_a_class_of_an_ordered_dictionary_is_the_snippets_own(run):
    assert run("import collections\nA = type('A', (), collections.OrderedDict(x=1))\na = A()\na.y = 2\na.y").value == 2
    assert run("A.__module__").value == "__main__"


def test_a_cached_property_stores_under_the_name_that_was_checked(run):
    source = (
        "class C(functools.cached_property):\n    def __init__(self, most):\n        super().__init__(lambda parser: 'kept')\n"
        "        self.asked, self.most = 0, most\n    @property\n    def attrname(self):\n        self.asked += 1\n"
        "        return 'public' if self.asked <= self.most else '_sections'\n"
        "    @attrname.setter\n    def attrname(self, name): pass\n"
        "parser = configparser.ConfigParser()\ngiven = []\n"
        "for most in range(8):\n    try: given.append(C(most).__get__(parser))\n    except AttributeError: pass\n"
        "all(one == 'kept' for one in given), parser.sections()"
    )
    assert run(_BEGIN + source).value == (True, [])


@pytest.mark.parametrize(
    "source",
    [
        "class S(functools.singledispatchmethod):\n    def __init__(self): self.func, self.dispatcher = print, D()\n",
        "@functools.singledispatch\ndef f(*given): return 1\nf.dispatch = D().dispatch\n"
        "class S(functools.singledispatchmethod):\n    def __init__(self): self.func, self.dispatcher = print, f\n",
    ],
    ids=["a dispatcher of its own", "a way to dispatch of its own"],
)
def test_who_dispatches_is_told_what_stands_for_type(run, source):
    dispatcher = "class D:\n    def dispatch(self, cls):\n        told.append(cls)\n        return lambda *given: None\ntold = []\n"
    assert run(_BEGIN + dispatcher + source + "S().__get__(D())(int)\ntold == [type]").value is True


def test_a_method_dispatches_by_every_kind_of_object(run):
    source = (
        "class A:\n    @functools.singledispatchmethod\n    def of(self, x): return 'other'\n"
        "    @of.register(type)\n    def _(self, x): return 'class'\n"
        "    @of.register(types.FunctionType)\n    def _(self, x): return 'function'\n"
        "[A().of(x) for x in (int, keep, 1)]"
    )
    assert run(_BEGIN + source).value == ["class", "function", "other"]
