"""What a snippet holds of a tool: something to call, and three ways to call it many times at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NoReturn

from codeact.records import ToolSpec
from codeact.snippet.modules.signatures import of_tool
from codeact.worker.calls import Calls

_AT_ONCE = 64  # calls under way in one `map`


class Tool:
    # A tool of the session: an ordinary call, or `map`, `submit` and `aio` for calls side by side. No docstring of its
    # own: `tool.__doc__` is the tool's.

    __slots__ = ("__name__", "__qualname__", "_calls", "_spec")
    __name__: str
    __qualname__: str
    _calls: Calls
    _spec: ToolSpec

    __doc__ = property(lambda self: self._spec.doc)  # asked of an instance, as with a function
    __signature__ = property(lambda self: of_tool(self._spec))  # asked by inspect

    def __init__(self, spec: ToolSpec, calls: Calls) -> None:
        put = object.__setattr__
        put(self, "__name__", spec.name)
        put(self, "__qualname__", spec.name)
        put(self, "_spec", spec)
        put(self, "_calls", calls)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the tool and wait for its result."""
        calls = self._calls
        return calls.wait(calls.start(self.__name__, args, kwargs, aside=False))

    def map(self, /, *iterables: Iterable[Any], **named: Any) -> list[Any]:
        """Call the tool for each item, side by side; the results are in the order of the items."""
        if named:
            way = f"calls = [{self.__name__}.submit(item, {next(iter(named))}=…) for item in items]"
            raise TypeError(
                f"{self.__name__}.map() takes no argument by name: {way}; [call.result() for call in calls]"
            )
        if not iterables:
            raise TypeError(f"{self.__name__}.map() needs an iterable, one call is made for each of its items")
        calls, name = self._calls, self.__name__
        under_way: deque[int] = deque()
        results = []
        for args in zip(*iterables, strict=False):
            if len(under_way) >= _AT_ONCE:
                results.append(calls.wait(under_way.popleft()))
            under_way.append(calls.start(name, args, {}))
        results.extend(calls.wait(number) for number in under_way)
        return results

    def submit(self, /, *args: Any, **kwargs: Any) -> Pending:
        """Send one call off and go on; `.result()` waits for it."""
        return Pending(self._calls, self._calls.start(self.__name__, args, kwargs))

    async def aio(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the tool and let other coroutines run meanwhile."""
        return await self._calls.awaited(self.__name__, args, kwargs)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"the tool {self.__name__!r} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"the tool {self.__name__!r} cannot be changed")

    def __repr__(self) -> str:
        return f"<tool {self.__name__}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"the tool {self.__name__!r} cannot be copied")


class Pending:
    """A call under way. It ends with the step at the latest; its answer can be asked for afterwards as well."""

    __slots__ = ("__weakref__", "_answer", "_arrived", "_let_go_on", "_number", "_wait")

    def __init__(self, calls: Calls, number: int) -> None:
        self._let_go_on: Callable[[float | None], bool] = partial(calls.let_go_on, number)
        self._wait: Callable[[], Any] = partial(calls.taken, number)
        self._arrived: Callable[[], bool] = partial(calls.has_arrived, number)
        self._answer: tuple[bool, Any] | None = None
        self._number = number
        calls.promise(number, self)

    def _settle(self, wait: Callable[[], Any]) -> None:
        """Take over the answer: the step is over, and nothing is kept elsewhere."""
        self._let_go_on, self._wait, self._arrived = _yes, wait, _yes

    def result(self, timeout: float | None = None) -> Any:
        """Wait for the call; give what it returned or raise what it raised. TimeoutError after so many seconds."""
        if self._answer is None and not self._let_go_on(timeout):
            raise TimeoutError
        if self._answer is None:  # it may have been asked for by another thread
            try:
                self._answer = True, self._wait()
            except Exception as error:
                self._answer = False, error
        returned, value = self._answer
        if not returned:
            raise value
        return value

    def done(self) -> bool:
        """Whether the result is there."""
        return self._answer is not None or self._arrived()

    def __hash__(self) -> int:
        return self._number  # and not where it lies: a set of them has the same order when the step is lived again

    def __repr__(self) -> str:
        return f"<call {'done' if self._answer else 'under way'}>"


def _yes(_: float | None = None) -> bool:
    return True
