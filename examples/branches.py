"""Branches: a fork is an independent copy of a live session, and a rewind takes back the last step.

Prints:
    fork: ['ada', 'bob']
    original: ['ada']
    after rewind: []
"""

from codeact import Limits, Session

with Session(limits=Limits(checkpoints=3)) as session:
    session.run("names = []")
    session.run("names.append('ada')")

    with session.fork() as other:
        print("fork:", other.run("names.append('bob')\nnames").value)

    print("original:", session.run("names").value)
    session.rewind(steps=2)
    print("after rewind:", session.run("names").value)
