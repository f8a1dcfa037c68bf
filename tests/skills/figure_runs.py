"""Recorded runs with the weather, dates, mathematics, graphs and places."""

from __future__ import annotations

from datetime import date

from tests.skills.playing import GRAPH, Played

FIGURES = (
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
)
