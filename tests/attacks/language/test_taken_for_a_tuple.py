"""What fills in the parameters of an alias is no object a snippet made up; each led to any object by its address."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import printed_in_folders

_MADE_UP = """
import operator, struct, types, typing, weakref
secret = ['the object']
at = complex(5e-324, struct.unpack('d', struct.pack('q', id(secret)))[0])
class Part:
    def __getattr__(self, name):
        if name == '__typing_subst__': return lambda given: at
        if name == '__typing_is_unpacked_typevartuple__': return True
        raise AttributeError(name)
part, T = Part(), typing.TypeVar('T')
named = {'__typing_subst__': lambda given: at, '__typing_is_unpacked_typevartuple__': True}
"""

TAKEN = {
    "a part": "list[part][int]",
    "a part beside a parameter": "dict[T, part][int]",
    "a part of parts": "dict[T, (T, part)][int]",
    "a part of a list": "dict[T, [T, part]][int]",
    "a part that passes for its own": "list[types.SimpleNamespace(**named)][int]",
    "a part that stands for another": "list[weakref.proxy(part)][int]",
    "a part that passes it on": "list[types.GenericAlias(part, int)][int]",
    "a part of a union": "(int | list[part])[int]",
    "by its method": "operator.getitem(list[part], int)",
}


@pytest.mark.parametrize("source", TAKEN.values(), ids=TAKEN)
def test_nothing_is_taken_for_a_tuple(session, source):
    assert session.run(_MADE_UP).ok
    assert session.run(f"({source}).__args__[0] is secret").failure.type == "TypeError"


AS_EVER = """
import collections.abc, typing
T, U, P, Ts = typing.TypeVar('T'), typing.TypeVar('U'), typing.ParamSpec('P'), typing.TypeVarTuple('Ts')
class Meta(type): pass
class Own(metaclass=Meta): pass
class Box(typing.Generic[T]): pass
def tried(*functions):
    for function in functions:
        try: print(function())
        except Exception as error: print(type(error).__name__, error)
tried(lambda: list[T][int], lambda: dict[T, U][int, str], lambda: dict[T, list[U]][int, Own], lambda: dict[str, T][Own], lambda: (list[T] | int)[str],
      lambda: (list[T] | dict[T, U] | None)[str, bytes], lambda: list[int][str], lambda: list[T][int, str], lambda: tuple[T, ...][int], lambda: tuple[int, *Ts][str, bytes],
      lambda: tuple[*Ts, T][int], lambda: collections.abc.Callable[[T], U][int, str], lambda: collections.abc.Callable[P, T][[int, str], bytes], lambda: list[Box[T]][int],
      lambda: dict[T, Box][int], lambda: dict[T, 'Later'][int], lambda: list[typing.Annotated[T, 'why']][int], lambda: list[typing.Optional[T]][int], lambda: dict[T, 5][int],
      lambda: type[T][Own], lambda: list[T][list[U]][int], lambda: list[dict[T, int] | None][str], lambda: list[Own][int], lambda: (int | str)[int])
"""


def test_parameters_are_filled_in_as_in_cpython(tmp_path):
    ours, plain = printed_in_folders(tmp_path, AS_EVER)
    assert ours.splitlines() == plain.splitlines()
