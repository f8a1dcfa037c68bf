"""Tools in parallel: `.map` runs the calls at the same time and keeps their order.

Prints:
    [1, 4, 9, 16]
    4 calls
"""

import threading

from codeact import Session

together = threading.Barrier(4)


def square(number: int) -> int:
    """The square of a number, as soon as four are asked for."""
    together.wait(timeout=20)
    return number * number


with Session(tools=[square]) as session:
    seen = session.run("list(square.map([1, 2, 3, 4]))")
    print(seen.value)
    print(len(seen.calls), "calls")
