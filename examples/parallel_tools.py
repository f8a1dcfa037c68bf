"""Tools in parallel: `.map` runs the calls at the same time and keeps their order.

Prints:
    [1, 4, 9, 16]
    4 calls
"""

from codeact import Session


def square(number: int) -> int:
    """The square of a number, from far away."""
    return number * number


with Session(tools=[square]) as session:
    seen = session.run("list(square.map([1, 2, 3, 4]))")
    print(seen.value)
    print(len(seen.calls), "calls")
