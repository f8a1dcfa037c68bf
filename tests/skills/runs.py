"""Recorded runs over several domains, written as the steps a model took; playing them records them for real."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

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


def play(case: Played, isolation: str = "inline", inputs: Mapping[str, Any] | None = None) -> Run:
    """The run as an agent would have recorded it."""
    with Session(TOOLS, isolation=isolation, files=case.files) as session:
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

RUNS = (
    # ── orders ──────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "convert-orders",
        "orders",
        "Convert the order book from EUR to USD, only orders over 100",
        (
            "print(len(book)); book[0]",
            "rate = exchange_rate('EUR', 'USD')\nprint(rate)",
            "total = sum(o['amonut'] for o in book)",
            "limit = 100\nbig = [o for o in book if o['amount'] > limit]\ntotal = sum(o['amount'] for o in big) * rate\ntotal",
            "final_answer(round(total, 2))",
        ),
        {"book": ORDERS},
        gone=("print", "amonut"),
        takes=("book", "base", "quote", "limit"),
        other={"book": MORE},
    ),
    Played(
        "by-region",
        "orders",
        "What is the total of the open orders by region?",
        (
            "from collections import defaultdict\nimport json\nprint(json.dumps(book[0]))",
            "totals = {}\nfor o in book:\n    totals[o['region']] += o['amount']",
            "totals = defaultdict(float)\nfor o in book:\n    if o['status'] == 'open':\n        print(o['id'])\n"
            "        totals[o['region']] += o['amount']",
            "dict(totals)",
            "final_answer(dict(totals))",
        ),
        {"book": ORDERS},
        gone=("json", "print", "totals = {}"),
        takes=("book", "status"),
        other={"book": MORE},
    ),
    Played(
        "top-customers",
        "orders",
        "List the 2 customers with the highest spend",
        (
            "spend = {}\nfor o in book:\n    spend.setdefault(o['customer'], 0)\n    spend[o['customer']] += o['amount']\nspend",
            "ranked = sorted(spend, key=lambda name: spend[name], reverse=True)\nranked",
            "best = ranked[:2]\nprint(best)\nfinal_answer(best)",
        ),
        {"book": ORDERS},
        gone=("print",),
        takes=("book", "count"),
        other={"book": MORE},
    ),
    Played(
        "paged-orders",
        "orders",
        "Collect the amounts of all orders from the pages",
        (
            "first = orders_page(0)\nfirst",
            "rows = []\npage = 0\nwhile page is not None:\n    got = orders_page(page)\n    rows.extend(got['rows'])\n"
            "    page = got['next']\nlen(rows)",
            "amounts = [r['amount'] for r in rows]\nfinal_answer(sum(amounts))",
        ),
        gone=("first",),
        takes=(),
    ),
    Played(
        "aliased",
        "orders",
        "Mark the open orders and count them",
        (
            "import copy\nmine = copy.deepcopy(book)\nseen = mine",
            "for row in seen:\n    row['mark'] = row['status'] == 'open'",
            "n = len([r for r in mine if r['mark']])\nfinal_answer({'open': n, 'rows': mine})",
        ),
        {"book": ORDERS},
        other={"book": MORE},
    ),
    Played(
        "mutated-list",
        "orders",
        "Which order ids are above the mean?",
        (
            "ids = []\nalso = ids\namounts = [o['amount'] for o in book]",
            "mean = sum(amounts) / len(amounts)\nunused = max(amounts)",
            "for o in book:\n    if o['amount'] > mean:\n        also.append(o['id'])\nprint(ids)",
            "final_answer(ids)",
        ),
        {"book": ORDERS},
        gone=("unused", "print"),
        other={"book": MORE},
    ),
    # ── weather ─────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "warmest",
        "weather",
        "Which of Berlin, Paris and Rome is the warmest today?",
        (
            "forecast('Berlin')",
            "best = None\nfor city in ['Berlin', 'Paris', 'Rome']:\n    seen = forecast(city)\n    print(city, seen)\n"
            "    if best is None or seen['celsius'] > best['celsius']:\n        best = seen",
            "final_answer(best['city'])",
        ),
        gone=("print",),
        takes=("cities",),
    ),
    Played(
        "rain-parallel",
        "weather",
        "How much rain falls in Oslo and Berlin together?",
        (
            "cities = ['Oslo', 'Berlin']\nseen = forecast.map(cities)\nseen",
            "wet = [s['rain'] for s in seen]",
            "final_answer(sum(s['rain_mm'] for s in seen))",
        ),
        gone=("wet",),
    ),
    Played(
        "fahrenheit",
        "weather",
        "Give the temperature of Madrid in 3 days in Fahrenheit",
        (
            "def f(c): return c * 9 / 5\nx = forecast('Madrid', 3)",
            "f(x['celsius'])",
            "def f(c):\n    print('converting', c)\n    return c * 9 / 5 + 32\nanswer = f(x['celsius'])\nanswer",
            "final_answer(answer)",
        ),
        gone=("converting",),
        takes=("city", "day"),
    ),
    Played(
        "warn-oslo",
        "weather",
        "Warn ops@example.org if it rains more than 5 mm in Oslo",
        (
            "w = forecast('Oslo')\nw",
            "if w['rain_mm'] > 5:\n    number = send_message('ops@example.org', 'Rain in Oslo')\nelse:\n    number = None",
            "final_answer({'warned': number is not None, 'rain': w['rain_mm']})",
        ),
        takes=("city", "min_rain_mm", "to"),
    ),
    # ── text ────────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "word-count",
        "text",
        "Count the words of the text, most frequent first, only the top 3",
        (
            "import re\nwords = text.split()\nlen(words)",
            "words = re.findall(r'[a-z]+', text.lower())\nwords[:5]",
            "from collections import Counter\ncounts = Counter(words)\ncounts.most_common(3)",
            "final_answer(counts.most_common(3))",
        ),
        {"text": TEXT},
        gone=("text.split()",),
        takes=("text", "count"),
        other={"text": "b a b c c c d"},
    ),
    Played(
        "longest-sentence",
        "text",
        "Find the longest sentence in the text",
        (
            "import re\nparts = re.split(r'[.!?]', text)\nparts",
            "clean = [p.strip() for p in parts if p.strip()]\nlongest = max(clean, key=len)",
            "print(len(longest))\nfinal_answer(longest)",
        ),
        {"text": TEXT},
        gone=("print",),
        other={"text": "One. Two and three! Four?"},
    ),
    Played(
        "caesar",
        "text",
        "Encode the text with a shift of 5",
        (
            "def shift(c, n):\n    return chr(ord(c) + n)\nshift('a', 1)",
            "def shift(c, n):\n    if not c.isalpha():\n        return c\n    base = ord('A') if c.isupper() else ord('a')\n"
            "    return chr((ord(c) - base + n) % 26 + base)\nshift('z', 5)",
            "out = ''.join(shift(c, 5) for c in text)\nfinal_answer(out)",
        ),
        {"text": TEXT},
        takes=("text", "n"),
        other={"text": "Zebra!"},
    ),
    Played(
        "palindromes",
        "text",
        "Which words of the text read the same backwards?",
        (
            "def same(w):\n    return w == w[::-1]\nfound = set()",
            "for w in text.lower().split():\n    w = w.strip('.,')\n    if same(w) and len(w) > 1:\n        found.add(w)",
            "sorted(found)",
            "final_answer(sorted(found))",
        ),
        {"text": "Anna saw a level kayak. Bob did."},
        other={"text": "noon is civic"},
    ),
    # ── logs ────────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "error-counts",
        "logs",
        "Count the ERROR lines in the log by message",
        (
            "lines = log.splitlines()\nprint(lines[0])",
            "parsed = []\nfor line in lines:\n    when, level, message = line.split(' ')\n    parsed.append((when, level, message))",
            "parsed = []\nfor line in lines:\n    when, level, message = line.split(' ', 2)\n    parsed.append((when, level, message))",
            "counts = {}\nfor when, level, message in parsed:\n    if level == 'ERROR':\n        counts[message] = counts.get(message, 0) + 1",
            "final_answer(counts)",
        ),
        {"log": LOG},
        takes=("log", "wanted_level"),
        gone=("print",),
    ),
    Played(
        "gap",
        "logs",
        "What is the longest gap in minutes between two lines of the log?",
        (
            "from datetime import datetime\ntimes = [datetime.strptime(l[:5], '%H:%M') for l in log.splitlines()]",
            "gaps = [b - a for a, b in zip(times, times[1:])]\nmax(gaps)",
            "final_answer(int(max(gaps).total_seconds() // 60))",
        ),
        {"log": LOG},
        other={"log": "09:00 x\n09:30 y\n"},
    ),
    Played(
        "log-generator",
        "logs",
        "Find the first 2 ERROR messages of the log",
        (
            "def errors(text):\n    for line in text.splitlines():\n        if ' ERROR ' in line:\n            yield line.split(' ', 2)[2]",
            "stream = errors(log)\nfirst = next(stream)\nprint(first)",
            "second = next(stream)\nfinal_answer([first, second])",
        ),
        {"log": LOG},
        gone=("print",),
    ),
    # ── people ──────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "team-salaries",
        "people",
        "Compute the average salary of the core team",
        (
            "class Team:\n    def __init__(self, people):\n        self.people = people\n    def mean(self):\n"
            "        return sum(p['salary'] for p in self.people) / len(self.people)",
            "core = Team([p for p in staff if p['team'] == 'core'])\ncore.mean()",
            "final_answer(core.mean())",
        ),
        {"staff": PEOPLE},
        takes=("staff", "team"),
        other={"staff": PEOPLE[:2]},
    ),
    Played(
        "seniority",
        "people",
        "Who has been with us the longest?",
        (
            "from datetime import date\nfirst = min(staff, key=lambda p: p['sinc'])",
            "first = min(staff, key=lambda p: date.fromisoformat(p['since']))\nfirst",
            "final_answer(first['name'])",
        ),
        {"staff": PEOPLE},
        other={"staff": PEOPLE[:2]},
    ),
    Played(
        "raise",
        "people",
        "Raise the salaries of the web team by 4 % and give the new total",
        (
            "factor = 1.04\nrows = [dict(p) for p in staff]",
            "for r in rows:\n    if r['team'] == 'web':\n        r['salary'] = round(r['salary'] * factor, 2)",
            "total = 0\nfor r in rows:\n    total += r['salary']\ntotal",
            "final_answer(total)",
        ),
        {"staff": PEOPLE},
        other={"staff": PEOPLE[1:]},
    ),
    Played(
        "dataclass-rows",
        "people",
        "How many people earn at least 5000?",
        (
            "from dataclasses import dataclass\n@dataclass\nclass Person:\n    name: str\n    salary: int",
            "people = [Person(p['name'], p['salary']) for p in staff]\npeople[0]",
            "rich = [p for p in people if p.salary >= 5000]\nfinal_answer(len(rich))",
        ),
        {"staff": PEOPLE},
        takes=("staff", "min_salary"),
        other={"staff": PEOPLE[:1]},
    ),
    # ── stock ───────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "reserve-parts",
        "stock",
        "Reserve 10 of each part that is in stock and say which could not be",
        (
            "missing = []\nok = []",
            "for part in parts:\n    have = stock_of(part)\n    if have >= 10 and reserve(part, 10):\n        ok.append(part)\n"
            "    else:\n        missing.append(part)\nprint(ok, missing)",
            "final_answer(missing)",
        ),
        {"parts": ["bolt", "screw", "nut"]},
        gone=("print",),
        other={"parts": ["screw", "washer"]},
    ),
    Played(
        "effect-unused",
        "stock",
        "Tell the buyer which parts are low",
        (
            "levels = {p: stock_of(p) for p in parts}\nlevels",
            "low = [p for p, n in levels.items() if n < 20]",
            "receipt = send_message('buyer', ', '.join(low))\nreceipt",
            "final_answer(low)",
        ),
        {"parts": ["bolt", "screw", "nut"]},
        other={"parts": ["bolt"]},
    ),
    Played(
        "undeclared",
        "stock",
        "Look up the code of bolt",
        (
            "wrong = 1 / 0",
            "code = lookup('bolt')\ncode",
            "final_answer(code.upper())",
        ),
        gone=("wrong",),
        takes=("key",),
    ),
    # ── pages ───────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "crawl",
        "pages",
        "Which pages can be reached from /a?",
        (
            "links_of('/a')",
            "seen = set()\nqueue = ['/a']\nwhile queue:\n    page = queue.pop()\n    if page not in seen:\n        seen.add(page)\n"
            "        queue += links_of(page)\nseen",
            "final_answer(sorted(seen))",
        ),
    ),
    Played(
        "missing-page",
        "pages",
        "How many of the pages mention search?",
        (
            "texts = [fetch_page(p) for p in pages]",
            "texts = {}\nfor p in pages:\n    try:\n        texts[p] = fetch_page(p)\n    except LookupError as error:\n"
            "        print('missing', error)",
            "hits = [p for p, t in texts.items() if 'search' in t.lower()]\nfinal_answer(len(hits))",
        ),
        {"pages": ["/a", "/b", "/x", "/c"]},
        gone=("missing",),
        other={"pages": ["/b", "/y"]},
    ),
    Played(
        "release",
        "pages",
        "Find the release number on page /a",
        (
            "import re\npage = fetch_page('/a')\npage",
            "match = re.search(r'Release (\\d+)', page)\nmatch.group(1)",
            "match = re.search(r'Release ([\\d.]+)', page)\nfinal_answer(match.group(1).rstrip('.'))",
        ),
        takes=("path",),
    ),
    # ── dates ───────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "working-days",
        "dates",
        "How many working days are there in May 2024?",
        (
            "from datetime import date, timedelta\nfree = holidays(2024)\nfree",
            "day = date(2024, 5, 1)\ncount = 0",
            "while day.month == 5:\n    if day.weekday() < 5 and day not in free:\n        count += 1\n    day += timedelta(days=1)\ncount",
            "final_answer(count)",
        ),
    ),
    Played(
        "due",
        "dates",
        "When is the last of 4 weekly payments due?",
        (
            "from datetime import date\ndue = due_dates(start, 4)\ndue",
            "final_answer(due[-1].isoformat())",
        ),
        {"start": date(2024, 2, 5)},
        gone=("from datetime",),
    ),
    # ── mathematics ─────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "primes",
        "mathematics",
        "What is the sum of the primes below 60?",
        (
            "def is_prime(n):\n    return all(n % k for k in range(2, n))\n[n for n in range(10) if is_prime(n)]",
            "def is_prime(n):\n    return n > 1 and all(n % k for k in range(2, int(n ** 0.5) + 1))",
            "limit = 60\nprimes = [n for n in range(limit) if is_prime(n)]\nprint(primes)",
            "final_answer(sum(primes))",
        ),
        gone=("print",),
        takes=("limit",),
    ),
    Played(
        "shadowed-sum",
        "mathematics",
        "Add the squares of the numbers",
        (
            "sum = sum(n ** 2 for n in numbers)\nsum",
            "final_answer(sum)",
        ),
        {"numbers": [1, 2, 3]},
        other={"numbers": [5]},
    ),
    Played(
        "global-counter",
        "mathematics",
        "How many steps does the Collatz sequence of 27 take?",
        (
            "steps = 0\ndef go(n):\n    global steps\n    while n != 1:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n        steps += 1",
            "go(27)\nsteps",
            "final_answer(steps)",
        ),
    ),
    Played(
        "two-versions",
        "mathematics",
        "Evaluate the polynomial at the points and scale by 2",
        (
            "def f(x): return x * x + 1\nfirst = [f(x) for x in points]",
            "def f(x): return x * 2\nsecond = [f(y) for y in first]",
            "final_answer(second)",
        ),
        {"points": [1, 2, 3]},
        other={"points": [4]},
    ),
    Played(
        "late-binding",
        "mathematics",
        "Multiply the numbers by 7",
        (
            "def scaled(x): return x * factor\nfactor = 3",
            "factor = 7\nout = list(map(scaled, numbers))",
            "factor = 100\nfinal_answer(out)",
        ),
        {"numbers": [1, 2]},
        takes=("numbers", "factor"),
        other={"numbers": [3]},
        gone=("100",),
    ),
    Played(
        "matrix",
        "mathematics",
        "Multiply the two matrices",
        (
            "rows, inner, cols = len(a), len(b), len(b[0])\nout = [[0] * cols] * rows",
            "for i in range(rows):\n    for j in range(cols):\n        out[i][j] = sum(a[i][k] * b[k][j] for k in range(inner))\nout",
            "out = [[0] * cols for _ in range(rows)]\nfor i in range(rows):\n    for j in range(cols):\n"
            "        out[i][j] = sum(a[i][k] * b[k][j] for k in range(inner))",
            "final_answer(out)",
        ),
        {"a": [[1, 2], [3, 4]], "b": [[5, 6], [7, 8]]},
        other={"a": [[2]], "b": [[4]]},
        gone=("[[0] * cols] * rows",),
    ),
    # ── graphs ──────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "shortest",
        "graphs",
        "What is the length of the shortest path from a to d?",
        (
            "import heapq\nstart, goal = 'a', 'd'\ndone = {}",
            "heap = [(0, start)]\nwhile heap:\n    cost, node = heapq.heappop(heap)\n    if node in done:\n        continue\n"
            "    done[node] = cost\n    for to, weight in graph[node].items():\n        heapq.heappush(heap, (cost + weight, to))",
            "done",
            "final_answer(done[goal])",
        ),
        {"graph": GRAPH},
        other={"graph": {"a": {"d": 9}, "d": {}}},
    ),
    Played(
        "in-degree",
        "graphs",
        "Which node has the most incoming edges?",
        (
            "degree = dict.fromkeys(graph, 0)",
            "for node in graph:\n    for to in graph[node]:\n        degree[to] += 1\nprint(degree)",
            "top = max(degree.items(), key=lambda pair: (pair[1], pair[0]))\nfinal_answer(top[0])",
        ),
        {"graph": GRAPH},
        gone=("print",),
    ),
    # ── places ──────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "distance",
        "places",
        "How far is it from Berlin to Rome in km?",
        (
            "import math\na = locate('Berlin')\nb = locate('Rome')\nc = locate('Paris')\na, b",
            "def km(p, q):\n    la, lo, lb, lp = map(math.radians, (*p, *q))\n"
            "    h = math.sin((lb - la) / 2) ** 2 + math.cos(la) * math.cos(lb) * math.sin((lp - lo) / 2) ** 2\n"
            "    return 6371 * 2 * math.asin(math.sqrt(h))\nkm(a, b)",
            "final_answer(round(km(a, b)))",
        ),
        gone=("Paris",),
        takes=("place", "to_place"),
    ),
    Played(
        "state-five-steps",
        "places",
        "Plan the tour through Berlin, Paris and Rome and give its length",
        (
            "tour = ['Berlin', 'Paris', 'Rome']\npoints = []",
            "for p in tour:\n    points.append(locate(p))",
            "legs = []\nfor i in range(len(points) - 1):\n    (a, b), (c, d) = points[i], points[i + 1]\n    legs.append(((a - c) ** 2 + (b - d) ** 2) ** 0.5)",
            "total = 0.0\nfor leg in legs:\n    total += leg",
            "names = ' - '.join(tour)\nprint(names, total)",
            "final_answer({'tour': names, 'length': round(total, 3)})",
        ),
        gone=("print",),
    ),
    # ── money ───────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "loan",
        "money",
        "What is the monthly rate of a loan of 12000 at 5 % over 24 months?",
        (
            "amount = 12000\nyearly = 0.05\nmonths = 24\nr = yearly / 12",
            "rate = amount * r\nrate",
            "rate = amount * r / (1 - (1 + r) ** -months)\nfinal_answer(round(rate, 2))",
        ),
        takes=("amount", "yearly", "months"),
    ),
    Played(
        "decimal-sum",
        "money",
        "Sum the invoices exactly",
        (
            "sum(float(x) for x in invoices)",
            "from decimal import Decimal\ntotal = Decimal('0')\nfor x in invoices:\n    total += Decimal(x)",
            "final_answer(total)",
        ),
        {"invoices": ["0.10", "0.20", "0.30"]},
        other={"invoices": ["1.01"]},
        gone=("float",),
    ),
    Played(
        "cross-rates",
        "money",
        "Give a table of exchange rates between EUR, USD and JPY",
        (
            "names = ['EUR', 'USD', 'JPY']\nexchange_rate('EUR', 'JPY')",
            "table = {}\nfor a in names:\n    for b in names:\n        if a != b:\n            table[a + b] = round(exchange_rate(a, b), 4)\ntable",
            "final_answer(table)",
        ),
        takes=("names",),
    ),
    # ── shops ───────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "async-prices",
        "shops",
        "What do the items cost together?",
        (
            "import asyncio\nprices = await asyncio.gather(*[slow_price.aio(i) for i in items])\nprices",
            "final_answer(sum(prices))",
        ),
        {"items": ["pen", "paper"]},
        other={"items": ["x"]},
    ),
    Played(
        "submitted",
        "shops",
        "Which item is the dearest?",
        (
            "waiting = {i: slow_price.submit(i) for i in items}\nprices = {i: w.result() for i, w in waiting.items()}\nprices",
            "final_answer(max(prices, key=prices.get))",
        ),
        {"items": ["pen", "paper"]},
        other={"items": ["xx", "y"]},
    ),
    Played(
        "discounts",
        "shops",
        "Apply the discounts to the basket and give the total",
        (
            "total = 0\nfor item in basket:\n    match item:\n        case {'kind': 'book', 'price': p}:\n            total += p * 0.9\n"
            "        case {'price': p}:\n            total += p\ntotal",
            "final_answer(round(total, 2))",
        ),
        {"basket": [{"kind": "book", "price": 10.0}, {"kind": "pen", "price": 2.5}]},
        other={"basket": [{"kind": "book", "price": 1.0}]},
    ),
    # ── files ───────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "csv-file",
        "files",
        "What is the mean of the column height in plants.csv?",
        (
            "import csv\nwith open('plants.csv') as file:\n    rows = list(csv.DictReader(file))\nrows[:2]",
            "heights = [r['height'] for r in rows]\nsum(heights) / len(heights)",
            "heights = [float(r['height']) for r in rows]\nfinal_answer(sum(heights) / len(heights))",
        ),
        files={"plants.csv": b"name,height\nfern,30\nmoss,2.5\nreed,110\n"},
    ),
    Played(
        "write-and-read",
        "files",
        "Write the numbers to out.txt and count its characters",
        (
            "with open('out.txt', 'w') as file:\n    for n in numbers:\n        file.write(f'{n}\\n')",
            "text = open('out.txt').read()\nlen(text)",
            "final_answer(len(text))",
        ),
        {"numbers": [1, 22, 333]},
        other={"numbers": [4]},
    ),
    # ── tables ──────────────────────────────────────────────────────────────────────────────────────────────────
    Played(
        "unzipped",
        "tables",
        "Transpose the rows and give the largest value of each column",
        (
            "columns = zip(*rows)\nbest = []",
            "for column in columns:\n    best.append(max(column))",
            "final_answer(tuple(best))",
        ),
        {"rows": [[1, 5], [7, 2]]},
        other={"rows": [[0, 0]]},
    ),
    Played(
        "nested-update",
        "tables",
        "Merge the settings, the later ones win",
        (
            "def merge(a, b):\n    for k, v in b.items():\n        if isinstance(v, dict) and k in a:\n            merge(a[k], v)\n"
            "        else:\n            a[k] = v",
            "out = {}\nfor s in settings:\n    merge(out, s)\nout",
            "del settings\nfinal_answer(out)",
        ),
        {"settings": [{"a": {"x": 1}}, {"a": {"y": 2}, "b": 3}]},
        other={"settings": [{"q": 1}]},
        gone=("del",),
    ),
)
