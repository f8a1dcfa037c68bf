"""Recorded runs written after slicing and generalising were done, each with one thing that makes a slice go wrong."""

from __future__ import annotations

from tests.skills.playing import LOG, MORE, ORDERS, PEOPLE, TEXT, Played

TRADES = [
    {"day": 1, "share": "ABC", "side": "buy", "count": 10, "price": 5.0},
    {"day": 2, "share": "XYZ", "side": "buy", "count": 4, "price": 20.0},
    {"day": 3, "share": "ABC", "side": "sell", "count": 6, "price": 7.5},
]
TRADES_MORE = [*TRADES, {"day": 4, "share": "XYZ", "side": "sell", "count": 1, "price": 18.0}]
MATCHES = [("Reds", "Blues", 2, 1), ("Greens", "Reds", 0, 0), ("Blues", "Greens", 3, 2)]
SAMPLES = {"A": [7.1, 7.4, 6.9], "B": [5.2, 5.0], "C": []}
CELLS = [[0, 1, 0], [1, 1, 0], [0, 0, 1]]
MENU = {"soup": ["leek", "potato"], "stew": ["beef", "potato", "carrot"], "salad": ["leek", "tomato"]}

HARD = (
    Played(
        "alias-of-a-list", "shares", "How many shares of ABC are left after all trades?",
        ("held = {}\nlog = []\nalias = log",
         "for t in trades:\n    alias.append((t['share'], t['count'] if t['side'] == 'buy' else -t['count']))\nprint(len(log))",
         "for share, count in log:\n    held[share] = held.get(share, 0) + count\nheld",
         "final_answer(held['ABC'])"),
        {"trades": TRADES}, gone=("print",), other={"trades": TRADES_MORE},
    ),
    Played(
        "generator-across-steps", "shares", "What are the two highest prices paid?",
        ("prices = (t['price'] for t in trades if t['side'] == 'buy')", "first = next(prices)\nfirst",
         "rest = list(prices)\nrest", "top = sorted([first, *rest], reverse=True)[:2]\nfinal_answer(top)"),
        {"trades": TRADES}, other={"trades": TRADES_MORE},
    ),
    Played(
        "helper-redefined", "football", "How many points has each team, with three for a win?",
        ("def points(a, b):\n    return 2 if a > b else 1 if a == b else 0", "points(2, 1)",
         "def points(a, b):\n    return 3 if a > b else 1 if a == b else 0",
         "table = {}\nfor home, away, a, b in matches:\n    table[home] = table.get(home, 0) + points(a, b)\n"
         "    table[away] = table.get(away, 0) + points(b, a)\ntable", "final_answer(table)"),
        {"matches": MATCHES}, gone=("return 2 if",), other={"matches": [*MATCHES, ("Reds", "Greens", 4, 0)]},
    ),
    Played(
        "class-with-state", "football", "Which team leads the table?",
        ("class Table:\n    def __init__(self):\n        self.rows = {}\n    def add(self, team, n):\n"
         "        self.rows[team] = self.rows.get(team, 0) + n\n    def leader(self):\n"
         "        return max(sorted(self.rows), key=self.rows.get)",
         "t = Table()\nfor home, away, a, b in matches:\n    t.add(home, 3 if a > b else a == b)\n    t.add(away, 3 if b > a else a == b)",
         "t.rows", "final_answer(t.leader())"),
        {"matches": MATCHES}, other={"matches": [("Greens", "Blues", 5, 0)]},
    ),
    Played(
        "try-in-a-loop", "laboratory", "Average pH of each sample, and none where there is no reading",
        ("means = {}", "for name, values in samples.items():\n    try:\n        means[name] = round(sum(values) / len(values), 2)\n"
         "    except ZeroDivisionError:\n        means[name] = None", "means", "final_answer(means)"),
        {"samples": SAMPLES}, other={"samples": {"X": [], "Y": [1.0, 2.0]}},
    ),
    Played(
        "exception-kept", "laboratory", "Which samples cannot be averaged, and why?",
        ("problems = {}", "for name, values in samples.items():\n    try:\n        sum(values) / len(values)\n"
         "    except ZeroDivisionError as error:\n        problems[name] = str(error)\nproblems", "final_answer(problems)"),
        {"samples": SAMPLES}, other={"samples": {"X": []}},
    ),
    Played(
        "global-mutated-in-place", "automata", "How many cells live after one generation?",
        ("seen = set()\ndef alive(r, c):\n    seen.add((r, c))\n    return 0 <= r < len(cells) and 0 <= c < len(cells[0]) and cells[r][c]",
         "def around(r, c):\n    return sum(bool(alive(r + i, c + j)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)",
         "around(1, 1)", "new = [[int(around(r, c) == 3 or (cells[r][c] and around(r, c) == 2)) for c in range(len(cells[0]))] for r in range(len(cells))]",
         "final_answer(sum(map(sum, new)))"),
        {"cells": CELLS}, other={"cells": [[1, 1, 1], [0, 0, 0], [0, 0, 0]]},
    ),
    Played(
        "counter-by-global", "text", "How many words are longer than 3 letters?",
        ("count = 0\ndef see(word):\n    global count\n    if len(word) > 3:\n        count += 1", "for word in text.split():\n    see(word.strip('.,'))",
         "count", "final_answer(count)"),
        {"text": TEXT + " Nothing moved."}, other={"text": "a much longer text"},
    ),
    Played(
        "closure-counter", "text", "Number the sentences of the text",
        ("def numbering():\n    n = 0\n    def give(line):\n        nonlocal n\n        n += 1\n        return f'{n}. {line}'\n    return give",
         "give = numbering()", "parts = [p.strip() for p in text.split('.') if p.strip()]\nlen(parts)",
         "final_answer([give(p) for p in parts])"),
        {"text": TEXT}, other={"text": "One. Two."},
    ),
    Played(
        "augmented-on-alias", "kitchen", "List all ingredients of soup and stew",
        ("needed = menu['soup'][:]", "more = needed\nmore += menu['stew']", "print(needed)", "final_answer(sorted(set(needed)))"),
        {"menu": MENU}, gone=("print",), other={"menu": {"soup": ["pea"], "stew": ["lamb"]}},
    ),
    Played(
        "input-mutated", "kitchen", "Which dishes are left when potato runs out?",
        ("for name in list(menu):\n    if 'potato' in menu[name]:\n        del menu[name]", "menu", "final_answer(sorted(menu))"),
        {"menu": MENU}, other={"menu": {"pie": ["apple"], "mash": ["potato"]}},
    ),
    Played(
        "tool-result-mutated", "weather", "What is the forecast of Rome, in Fahrenheit?",
        ("f = forecast('Rome')\nf", "f['fahrenheit'] = f.pop('celsius') * 9 / 5 + 32", "f['rain_mm']", "final_answer(f['fahrenheit'])"),
    ),
    Played(
        "conditional-tool", "weather", "How warm is Berlin, or Rome where it rains in Berlin?",
        ("here = forecast('Berlin')", "here['rain_mm'] > 0", "if here['rain_mm'] > 0:\n    here = forecast('Rome')", "final_answer(here['celsius'])"),
    ),
    Played(
        "tools-in-parallel", "weather", "Which of Berlin, Rome and Oslo is the warmest?",
        ("cities = ['Berlin', 'Rome', 'Oslo']", "found = forecast.map(cities)\nfound",
         "best = max(found, key=lambda f: f['celsius'])", "final_answer(best['city'])"),
    ),
    Played(
        "async-gather", "shop", "What do apple and banana cost together?",
        ("import asyncio", "prices = await asyncio.gather(*[slow_price.aio(x) for x in ['apple', 'banana']])", "prices", "final_answer(sum(prices))"),
    ),
    Played(
        "paging-with-while", "shop", "Add up all amounts over 30 of all pages",
        ("page = 0\nrows = []", "while page is not None:\n    found = orders_page(page)\n    rows.extend(found['rows'])\n    page = found['next']",
         "len(rows)", "big = [r['amount'] for r in rows if r['amount'] > 30]", "final_answer(sum(big))"),
    ),
    Played(
        "file-between-steps", "logs", "Count the lines with ERROR after saving them to errors.txt",
        ("with open('errors.txt', 'w') as out:\n    for line in log.splitlines():\n        if 'ERROR' in line:\n            print(line, file=out)",
         "open('errors.txt').read()[:20]", "with open('errors.txt') as f:\n    lines = f.readlines()", "final_answer(len(lines))"),
        {"log": LOG}, other={"log": "1 ERROR a\n2 INFO b\n"},
    ),
    Played(
        "comprehension-scopes", "logs", "Count the messages of each level",
        ("level = 'none'", "levels = [level for level in (line.split()[1] for line in log.splitlines())]", "level",
         "final_answer({level: levels.count(level) for level in sorted(set(levels))})"),
        {"log": LOG}, other={"log": "1 INFO a\n2 INFO b\n"},
    ),
    Played(
        "walrus-and-match", "logs", "What does the log say at 10:07?",
        ("import re", "found = None\nfor line in log.splitlines():\n    if (m := re.match(r'(\\d+:\\d+) (\\w+) (.*)', line)) and m[1] == '10:07':\n        found = m.groups()",
         "found", "match found:\n    case (_, level, what):\n        said = f'{level}: {what}'\n    case _:\n        said = ''", "final_answer(said)"),
        {"log": LOG}, other={"log": "10:07 INFO fine\n"},
    ),
    Played(
        "wrong-turns", "people", "Who of team core has been here longest?",
        ("core = [p for p in people if p['team'] = 'core']", "core = [p for p in people if p['teams'] == 'core']",
         "core = people\nlongest = min(core, key=lambda p: p['name'])", "core = [p for p in people if p['team'] == 'core']",
         "longest = min(core, key=lambda p: p['since'])\nlongest['name']", "final_answer(longest['name'])"),
        {"people": PEOPLE}, gone=("teams",), other={"people": [*PEOPLE, {"name": "Old", "team": "core", "salary": 1, "since": "1999-01-01"}]},
    ),
    Played(
        "sorted-in-place", "people", "Name the people by salary, the best paid first",
        ("ranked = list(people)", "ranked.sort(key=lambda p: -p['salary'])", "names = []\nfor p in ranked:\n    names.append(p['name'])", "final_answer(names)"),
        {"people": PEOPLE}, other={"people": PEOPLE[:2]},
    ),
    Played(
        "dataclass-and-property", "people", "What does team core cost in a year?",
        ("from dataclasses import dataclass", "@dataclass\nclass Person:\n    name: str\n    salary: int\n    @property\n    def yearly(self):\n        return self.salary * 12",
         "staff = [Person(p['name'], p['salary']) for p in people if p['team'] == 'core']\nstaff", "final_answer(sum(s.yearly for s in staff))"),
        {"people": PEOPLE}, other={"people": PEOPLE[:2]},
    ),
    Played(
        "defaultdict-nested", "orders", "Sum the amounts by region and status",
        ("from collections import defaultdict", "sums = defaultdict(lambda: defaultdict(float))", "for o in book:\n    sums[o['region']][o['status']] += o['amount']",
         "final_answer({region: dict(by) for region, by in sums.items()})"),
        {"book": ORDERS}, other={"book": MORE},
    ),
    Played(
        "effect-kept", "orders", "Tell Ada about her open orders and say how many there are",
        ("mine = [o for o in book if o['customer'] == 'Ada' and o['status'] == 'open']", "mine", "number = send_message('Ada', f'{len(mine)} open')\nnumber", "final_answer(len(mine))"),
        {"book": ORDERS},
    ),
    Played(
        "unpacking-and-star", "orders", "What is the largest order, and how much are the others together?",
        ("amounts = sorted((o['amount'] for o in book), reverse=True)", "largest, *others = amounts", "others", "final_answer((largest, round(sum(others), 2)))"),
        {"book": ORDERS}, other={"book": MORE},
    ),
    Played(
        "deleted-and-made-again", "orders", "How many customers are there?",
        ("seen = []", "for o in book:\n    seen.append(o['customer'])", "del seen", "seen = {o['customer'] for o in book}", "final_answer(len(seen))"),
        {"book": ORDERS}, gone=("append",), other={"book": MORE},
    ),
    Played(
        "seeded-chance", "statistics", "Estimate the mean amount from 50 samples drawn with seed 7",
        ("import random", "random.seed(7)", "drawn = [random.choice(book)['amount'] for _ in range(50)]", "drawn[:3]", "final_answer(round(sum(drawn) / len(drawn), 3))"),
        {"book": ORDERS}, other={"book": MORE},
    ),
    Played(
        "recursion-with-memo", "mathematics", "In how many ways can 25 be paid with coins of 1, 5 and 10?",
        ("memo = {}", "def ways(n, coins):\n    if n == 0:\n        return 1\n    if n < 0 or not coins:\n        return 0\n    key = (n, coins)\n"
         "    if key not in memo:\n        memo[key] = ways(n - coins[0], coins) + ways(n, coins[1:])\n    return memo[key]",
         "ways(5, (1, 5))", "final_answer(ways(25, (10, 5, 1)))"),
    ),
    Played(
        "decorated-helper", "mathematics", "What is the 30th Fibonacci number?",
        ("from functools import lru_cache", "@lru_cache(maxsize=None)\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)", "fib(10)", "final_answer(fib(30))"),
    ),
    Played(
        "chained-state", "planning", "When is each task done, if they follow each other?",
        ("clock = 0", "done = {}", "for name, hours in tasks:\n    clock += hours\n    done[name] = clock", "clock", "late = [n for n, at in done.items() if at > 8]\nlate", "final_answer(done)"),
        {"tasks": [("plan", 2), ("build", 5), ("test", 3)]}, gone=("late",), other={"tasks": [("a", 1)]},
    ),
)  # fmt: skip
