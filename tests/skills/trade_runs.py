"""Recorded runs with orders, people, stock, money and shops."""

from __future__ import annotations

from tests.skills.playing import MORE, ORDERS, PEOPLE, Played

TRADE = (
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
)
