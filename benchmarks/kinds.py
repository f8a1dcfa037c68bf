"""Kinds of tasks that recur: each with its data, the way a model takes without help, and the true answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

CITIES = ("Berlin", "Paris", "Rome", "Oslo", "Madrid", "Vienna")
ITEMS = ("bolt", "nut", "screw", "washer", "hinge", "spring")


@dataclass(frozen=True)
class Kind:
    """`ask` is the task with its values in braces; `steps` the blocks of the long way; `answer` what is true."""

    name: str
    general: str
    words: tuple[str, ...]
    ask: str
    values: Callable[[random.Random], dict[str, Any]]
    inputs: Callable[[random.Random], dict[str, Any]]
    steps: tuple[str, ...]
    answer: Callable[..., Any]


@dataclass(frozen=True)
class Task:
    """One task of the stream."""

    kind: Kind
    text: str
    values: Mapping[str, Any]
    inputs: Mapping[str, Any]

    @property
    def truth(self) -> Any:
        """The right answer."""
        return self.kind.answer(**self.inputs, **self.values)


def _sales(rng: random.Random) -> dict[str, Any]:
    return {
        "sales": [{"city": city, "item": rng.choice(ITEMS), "amount": rng.randrange(5, 900)} for city in CITIES * 4]
    }


def _readings(rng: random.Random) -> dict[str, Any]:
    return {"readings": [round(rng.uniform(-10, 40), 1) for _ in range(30)]}


def _people(rng: random.Random) -> dict[str, Any]:
    people = [{"name": f"p{n}", "team": rng.choice(CITIES), "pay": rng.randrange(2000, 9000)} for n in range(25)]
    return {"people": people}


def _texts(rng: random.Random) -> dict[str, Any]:
    return {"lines": [" ".join(rng.choices([*ITEMS, *CITIES], k=rng.randrange(3, 12))) for _ in range(12)]}


def _stock(rng: random.Random) -> dict[str, Any]:
    return {"stock": {item: rng.randrange(0, 200) for item in ITEMS}}


def _none(_: random.Random) -> dict[str, Any]:
    return {}


def _best(sales: list[dict[str, Any]], least: int) -> str:
    sums: dict[str, int] = {}
    for sale in sales:
        if sale["amount"] > least:
            sums[sale["item"]] = sums.get(sale["item"], 0) + sale["amount"]
    return max(sorted(sums), key=lambda item: sums[item])


def _mean(numbers: list[int]) -> float:
    return round(sum(numbers) / max(1, len(numbers)), 2)


def _grown(start: int, years: int, rate: float) -> float:
    worth: float = start
    for _ in range(years):
        worth = worth * (1 + rate / 100)
    return round(worth, 2)


KINDS = (
    Kind(
        "region", "Add up the sales of a city.", ("add", "sales"), "Add up the sales of the city {city}",
        lambda r: {"city": r.choice(CITIES)}, _sales,
        ("print(sales[:2])", "total = sum(s['price'] for s in sales)",
         "chosen = [s['amount'] for s in sales if s['city'] == {city!r}]\nprint(len(chosen))",
         "final_answer(sum(chosen))"),
        lambda sales, city: sum(s["amount"] for s in sales if s["city"] == city),
    ),
    Kind(
        "best", "Find the best selling item above an amount.", ("best", "selling"),
        "Find the best selling item among sales above {least}",
        lambda r: {"least": r.randrange(20, 300)}, _sales,
        ("print(sales[0])", "sums = {{}}\nfor s in sales:\n    if s['amount'] > {least!r}:\n"
         "        sums[s['item']] = sums.get(s['item'], 0) + s['amount']\nprint(sums)",
         "final_answer(max(sorted(sums), key=sums.get))"),
        _best,
    ),
    Kind(
        "hot", "Count the readings warmer than a limit.", ("count", "readings"),
        "Count the readings warmer than {limit} degrees",
        lambda r: {"limit": r.randrange(5, 33)}, _readings,
        ("readings[:3]", "warm = [x for x in readings if x > {limit!r}]\nwarm", "final_answer(len(warm))"),
        lambda readings, limit: sum(x > limit for x in readings),
    ),
    Kind(
        "smooth", "Smooth the measurements by a moving window.", ("smooth", "window"),
        "Smooth the measurements with a moving window of {width}",
        lambda r: {"width": r.randrange(2, 7)}, _readings,
        ("len(readings)", "smooth = []\nfor i in range(len(readings) - {width!r} + 1):\n"
         "    smooth.append(round(sum(readings[i:i + {width!r}]) / {width!r}, 2))\nprint(smooth[:3])",
         "final_answer(smooth)"),
        lambda readings, width: [
            round(sum(readings[i : i + width]) / width, 2) for i in range(len(readings) - width + 1)
        ],
    ),
    Kind(
        "pay", "Compute the average pay of a team.", ("average", "pay"), "Compute the average pay of the team {team}",
        lambda r: {"team": r.choice(CITIES)}, _people,
        ("print(people[:2])", "pay = [p['salary'] for p in people]",
         "pay = [p['pay'] for p in people if p['team'] == {team!r}]\nprint(pay)",
         "final_answer(round(sum(pay) / max(1, len(pay)), 2))"),
        lambda people, team: _mean([p["pay"] for p in people if p["team"] == team]),
    ),
    Kind(
        "raise", "Raise all salaries by a percentage and give the total bill.", ("raise", "salaries"),
        "Raise all salaries by {percent} percent and give the total",
        lambda r: {"percent": r.randrange(2, 12)}, _people,
        ("people[0]", "raised = [p['pay'] * (100 + {percent!r}) / 100 for p in people]\nprint(raised[:2])",
         "final_answer(round(sum(raised), 2))"),
        lambda people, percent: round(sum(p["pay"] * (100 + percent) / 100 for p in people), 2),
    ),
    Kind(
        "mentions", "Count in how many lines a word is mentioned.", ("lines", "mention"),
        "Count how many lines mention {word}",
        lambda r: {"word": r.choice(ITEMS)}, _texts,
        ("lines[0]", "found = [line for line in lines if {word!r} in line.split()]\nfound", "final_answer(len(found))"),
        lambda lines, word: sum(word in line.split() for line in lines),
    ),
    Kind(
        "longwords", "Rank the longest lines of a text.", ("rank", "lines"),
        "Rank the {count} longest lines of the text",
        lambda r: {"count": r.randrange(2, 7)}, _texts,
        ("print(lines[:1])", "ranked = sorted(lines, key=lambda line: (-len(line), line))\nprint(ranked[0])",
         "final_answer(ranked[:{count!r}])"),
        lambda lines, count: sorted(lines, key=lambda line: (-len(line), line))[:count],
    ),
    Kind(
        "reorder", "List the parts whose stock is low.", ("parts", "stock"),
        "List the parts whose stock is below {low}",
        lambda r: {"low": r.randrange(30, 150)}, _stock,
        ("stock", "low = [name for name in stock if stock.get(name) < {low!r}]\nprint(low)",
         "final_answer(sorted(low))"),
        lambda stock, low: sorted(name for name in stock if stock[name] < low),
    ),
    Kind(
        "loan", "Compute what a saving grows to with yearly interest.", ("saving", "interest"),
        "Compute what a saving of {start} grows to in {years} years at {rate} percent interest",
        lambda r: {"start": r.randrange(500, 9000), "years": r.randrange(2, 30),
                   "rate": r.choice([1.5, 2.5, 3.5, 4.5])},
        _none,
        ("start = {start!r}\nprint(start)", "worth = start\nfor _ in range({years!r}):\n"
         "    worth = worth * (1 + {rate!r} / 100)\nprint(worth)", "final_answer(round(worth, 2))"),
        _grown,
    ),
)  # fmt: skip


def stream(count: int, seed: int = 5) -> list[Task]:
    """The tasks in a mixed order, the same for every library that is tried."""
    rng = random.Random(seed)
    tasks = []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        values = kind.values(rng)
        tasks.append(Task(kind, kind.ask.format(**values), values, kind.inputs(rng)))
    rng.shuffle(tasks)
    return tasks
