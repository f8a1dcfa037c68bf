"""Runs written as the steps a model took; playing them records them for real. The data several of them work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from codeact.limits import Policy
from codeact.records import Run, RunCost, Step
from codeact.session import Session
from tests.skills.world import TOOLS


@dataclass(frozen=True)
class Played:
    """A run to play. `gone` are words that may not be left in the skill; `other` are inputs to try it with as well."""

    name: str
    domain: str
    task: str
    steps: tuple[str, ...]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    takes: tuple[str, ...] | None = None
    other: Mapping[str, Any] | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    imports: tuple[str, ...] = ()


def play(case: Played, isolation: str = "inline", inputs: Mapping[str, Any] | None = None) -> Run:
    """The run as an agent would have recorded it."""
    with Session(TOOLS, isolation=isolation, files=case.files, policy=Policy(imports=case.imports)) as session:
        given = case.inputs if inputs is None else inputs
        if given:
            session.assign(given)
        steps: list[Step] = []
        for index, code in enumerate(case.steps):
            steps.append(Step(index, code, code, session.run(code)))
            if steps[-1].observation.answered:
                break
        last = steps[-1].observation
        return Run(
            id=case.name,
            task=case.task,
            inputs=given,
            ended="answered" if last.answered else "failed",
            answer=last.answer,
            steps=tuple(steps),
            cost=RunCost(steps=len(steps)),
            model="recorded",
            tools=session.toolbox.specs,
        )


ORDERS = [
    {"id": 1, "customer": "Ada", "region": "north", "amount": 120.0, "status": "open"},
    {"id": 2, "customer": "Ben", "region": "south", "amount": 80.5, "status": "paid"},
    {"id": 3, "customer": "Ada", "region": "north", "amount": 40.0, "status": "open"},
    {"id": 4, "customer": "Cyd", "region": "west", "amount": 310.25, "status": "open"},
]
MORE = [*ORDERS, {"id": 5, "customer": "Dan", "region": "west", "amount": 99.0, "status": "open"}]
TEXT = "The cat sat on the mat. The dog saw the cat, and the cat ran."
LOG = "10:01 INFO start\n10:02 ERROR disk full\n10:03 WARN slow\n10:07 ERROR disk full\n10:09 ERROR timeout\n"
PEOPLE = [
    {"name": "Ann", "team": "core", "salary": 5200, "since": "2019-04-01"},
    {"name": "Bob", "team": "web", "salary": 4300, "since": "2022-09-15"},
    {"name": "Eve", "team": "core", "salary": 6100, "since": "2015-01-10"},
]
GRAPH = {"a": {"b": 4, "c": 1}, "b": {"d": 1}, "c": {"b": 2, "d": 5}, "d": {}}
