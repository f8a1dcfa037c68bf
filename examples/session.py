"""A session: state lives from step to step, tools run on your side, and a failure is a value.

Prints:
    5.4
    ZeroDivisionError in line 1
    5.4
"""

from codeact import Session


def rate(base: str, quote: str) -> float:
    """Today's rate: units of `quote` for one `base`."""
    return {"EURUSD": 1.08}[base + quote]


with Session(tools=[rate]) as session:
    print(session.run("price = 5 * rate('EUR', 'USD')\nprice").value)

    failure = session.run("price / 0").failure
    print(f"{failure.type} in line {failure.line}")

    print(session.run("price").value)
