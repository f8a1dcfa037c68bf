"""A budget: what spends too much is stopped and rolled back, and the session goes on.

Prints:
    limit
    True
    [1, 2, 3]
"""

from codeact import Limits, Session

with Session(limits=Limits(operations=10_000, wall_seconds=5)) as session:
    session.run("found = [1, 2, 3]")

    seen = session.run(
        "found.append(4)\nwhile True:\n    try:\n        found.sort()\n    except BaseException:\n        pass"
    )
    print(seen.failure.kind)
    print(seen.rolled_back)

    print(session.run("found").value)
