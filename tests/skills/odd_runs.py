"""Recorded runs in which something holds only for a while: a helper, a default, an effect, a name, a view of a list."""

from __future__ import annotations

from tests.skills.playing import LOG, MORE, ORDERS, PEOPLE, TEXT, Played

LEDGER = [("rent", -900.0), ("salary", 2500.0), ("food", -310.5), ("refund", 40.0)]
LEDGER_MORE = [*LEDGER, ("books", -62.0)]
READINGS = [3, 8, 1, 9, 4, 7]
NEEDS = {"bolt": 10, "nut": 20, "washer": 5}

ODD = (
    Played(
        "both-helpers-used", "ledger", "What is left of the ledger after a fee of 2 percent on all that comes in?",
        ("def part(amount):\n    return amount * 0.02", "fees = [part(a) for _, a in ledger if a > 0]\nfees",
         "def part(amount):\n    return amount", "rest = sum(part(a) for _, a in ledger)", "final_answer(round(rest - sum(fees), 2))"),
        {"ledger": LEDGER}, other={"ledger": LEDGER_MORE},
    ),
    Played(
        "helper-sees-the-later-name", "ledger", "How many entries are over 100 in size?",
        ("limit = 1000", "def large(amount):\n    return abs(amount) > limit", "limit = 100", "found = [n for n, a in ledger if large(a)]\nfound",
         "final_answer(len(found))"),
        {"ledger": LEDGER}, other={"ledger": LEDGER_MORE},
    ),
    Played(
        "default-of-its-moment", "ledger", "Add up what is spent, in hundreds",
        ("unit = 100", "def scaled(amount, by=unit):\n    return amount / by", "unit = 1", "spent = [scaled(-a) for _, a in ledger if a < 0]",
         "unit", "final_answer(round(sum(spent), 3))"),
        {"ledger": LEDGER}, other={"ledger": LEDGER_MORE},
    ),
    Played(
        "helper-of-a-helper-redefined", "ledger", "Sum the absolute amounts of the ledger",
        ("def size(x):\n    return x", "def total(rows):\n    return sum(size(a) for _, a in rows)", "total(ledger)",
         "def size(x):\n    return abs(x)", "final_answer(total(ledger))"),
        {"ledger": LEDGER}, other={"ledger": LEDGER_MORE},
    ),
    Played(
        "builtin-shadowed-and-back", "ledger", "What is the sum of the ledger?",
        ("sum = 0\nfor _, a in ledger:\n    sum = sum + a", "sum", "total = sum\ndel sum", "final_answer(round(total + sum([]), 2))"),
        {"ledger": LEDGER}, other={"ledger": LEDGER_MORE},
    ),
    Played(
        "five-steps-of-one-value", "readings", "Smooth the readings, take the peaks over 4, and tell their mean",
        ("smooth = [sum(readings[max(0, i - 1):i + 2]) / len(readings[max(0, i - 1):i + 2]) for i in range(len(readings))]",
         "smooth = [round(x, 1) for x in smooth]\nsmooth", "smooth = [x for x in smooth if x > 4]\nlen(smooth)", "mean = sum(smooth) / len(smooth)",
         "mean = round(mean, 2)\nmean", "final_answer(mean)"),
        {"readings": READINGS}, other={"readings": [9, 9, 9, 1]},
    ),
    Played(
        "five-steps-through-a-dict", "readings", "How far is each reading from the mean of all, as a share of the largest gap?",
        ("state = {'mean': sum(readings) / len(readings)}", "state['gaps'] = [abs(r - state['mean']) for r in readings]\nstate",
         "state.update(top=max(state['gaps']))", "gaps = state.pop('gaps')", "state['shares'] = [round(g / state['top'], 2) for g in gaps]\nlen(state)",
         "final_answer(state['shares'])"),
        {"readings": READINGS}, other={"readings": [1, 2, 6]},
    ),
    Played(
        "view-of-keys", "readings", "Which readings come twice or more?",
        ("counts = {}\nkeys = counts.keys()", "for r in [*readings, 9, 3]:\n    counts[r] = counts.get(r, 0) + 1", "len(keys)",
         "final_answer(sorted(k for k in keys if counts[k] > 1))"),
        {"readings": READINGS}, other={"readings": [3, 5]},
    ),
    Played(
        "slice-assigned", "readings", "Replace the first two readings by their mean and add up",
        ("values = list(readings)", "head = values[:2]\nhead", "values[:2] = [sum(head) / 2]", "values", "final_answer(sum(values))"),
        {"readings": READINGS}, other={"readings": [2, 4, 10]},
    ),
    Played(
        "generator-sent-to", "readings", "Give the running mean of the readings",
        ("def running():\n    total = n = 0\n    mean = None\n    while True:\n        got = yield mean\n        total += got\n        n += 1\n"
         "        mean = total / n",
         "g = running()\nnext(g)", "means = [round(g.send(r), 2) for r in readings]", "means[-1]", "final_answer(means)"),
        {"readings": READINGS}, other={"readings": [5, 7]},
    ),
    Played(
        "one-iterator-in-three-steps", "readings", "Skip the first reading, take the next as the base, and give the others relative to it",
        ("it = iter(readings)", "next(it)", "base = next(it)\nbase", "final_answer([r - base for r in it])"),
        {"readings": READINGS}, other={"readings": [0, 5, 6]},
    ),
    Played(
        "attribute-of-a-class", "people", "How many people earn more than the mean?",
        ("class Pay:\n    mean = 0", "Pay.mean = sum(p['salary'] for p in people) / len(people)", "Pay.mean", "above = [p for p in people if p['salary'] > Pay.mean]",
         "final_answer(len(above))"),
        {"people": PEOPLE}, other={"people": PEOPLE[:2]},
    ),
    Played(
        "partial-and-operator", "people", "Name the people by team and salary, the best paid of a team first",
        ("from functools import partial\nfrom operator import itemgetter", "by = partial(sorted, key=itemgetter('team'))",
         "ranked = by(sorted(people, key=itemgetter('salary'), reverse=True))", "final_answer([p['name'] for p in ranked])"),
        {"people": PEOPLE}, other={"people": [*PEOPLE, {"name": "Zoe", "team": "web", "salary": 9000, "since": "2020-01-01"}]},
    ),
    Played(
        "context-manager-of-its-own", "people", "Who was hired before 2020?",
        ("from contextlib import contextmanager", "found = []\n@contextmanager\ndef keeping(name):\n    found.append(name)\n    yield name",
         "for p in people:\n    if p['since'] < '2020':\n        with keeping(p['name']) as name:\n            print(name)", "final_answer(found)"),
        {"people": PEOPLE}, other={"people": PEOPLE[1:2]},
    ),
    Played(
        "effect-whose-result-nobody-takes", "stock", "Reserve what is needed and say how many parts that are",
        ("total = sum(needs.values())", "for part, count in needs.items():\n    reserve(part, count)", "total", "final_answer(total)"),
        {"needs": NEEDS}, other={"needs": {"bolt": 1}},
    ),
    Played(
        "effect-in-a-comprehension", "orders", "Write to every customer with an open order and say to whom",
        ("open_ = sorted({o['customer'] for o in book if o['status'] == 'open'})", "numbers = [send_message(c, 'Your order is open') for c in open_]\nnumbers",
         "final_answer(open_)"),
        {"book": ORDERS}, other={"book": MORE},
    ),
    Played(
        "effect-in-a-helper", "orders", "Tell Ben what he paid, and give the sum",
        ("def tell(who, amount):\n    send_message(who, f'{amount} paid')\n    return amount", "paid = [o['amount'] for o in book if o['customer'] == 'Ben' and o['status'] == 'paid']",
         "told = tell('Ben', sum(paid))\ntold", "final_answer(sum(paid))"),
        {"book": ORDERS}, other={"book": MORE},
    ),
    Played(
        "effect-guarded-by-a-tool", "stock", "Order screws by message if there are fewer than 5, and say how many there are",
        ("left = stock_of('screw')\nleft", "if left < 5:\n    send_message('supplier', 'more screws')", "final_answer(left)"),
    ),
    Played(
        "far-from-a-threshold", "stock", "Are there at least 5000 bolts?",
        ("have = stock_of('bolt')\nhave", "enough = have >= 5000", "final_answer(enough)"),
    ),
    Played(
        "limits-in-a-tuple", "orders", "Which orders are between 50 and 200?",
        ("low, high = 50, 200", "found = [o['id'] for o in book if low < o['amount'] < high]\nfound", "final_answer(found)"),
        {"book": ORDERS}, other={"book": MORE},
    ),
    Played(
        "percent-of-the-task", "orders", "Add 19 percent VAT to the sum of the orders",
        ("rate = 19 / 100", "net = sum(o['amount'] for o in book)\nnet", "final_answer(round(net * (1 + rate), 2))"),
        {"book": ORDERS}, other={"book": MORE},
    ),
    Played(
        "parts-of-a-date", "people", "Who was there before the 15 of 4 in 2020?",
        ("from datetime import date", "limit = date(2020, 4, 15)", "final_answer([p['name'] for p in people if date.fromisoformat(p['since']) < limit])"),
        {"people": PEOPLE}, other={"people": PEOPLE[1:]},
    ),
    Played(
        "none-that-fits-the-word", "orders", "How many orders are cancelled?",
        ("print(len(book))", "gone = [o for o in book if o['status'] == 'cancelled']", "final_answer(len(gone))"),
        {"book": ORDERS}, gone=("print",), other={"book": [*ORDERS, {"id": 9, "customer": "Eva", "region": "east", "amount": 1.0, "status": "cancelled"}]},
    ),
    Played(
        "word-that-is-not-there", "pages", "Does page /c speak of the login?",
        ("text = fetch_page('/c')\ntext", "found = 'login' in text.lower()", "final_answer(found)"),
    ),
    Played(
        "only-a-word-of-a-result", "pages", "Does page /a speak of the login?",
        ("text = fetch_page('/a')\ntext", "found = 'login' in text.lower()", "final_answer(found)"),
    ),
    Played(
        "one-of-two-results", "weather", "Is Rome warmer than Oslo?",
        ("a = forecast('Rome')", "b = forecast('Oslo')", "a, b", "final_answer(a['celsius'] > b['celsius'])"),
    ),
    Played(
        "failed-tool-and-another", "pages", "How long is the first page that can be read?",
        ("text = None\nfor path in ['/none', '/c', '/a']:\n    try:\n        text = fetch_page(path)\n        break\n    except LookupError:\n        continue",
         "text", "final_answer(len(text))"),
    ),
    Played(
        "nested-loops-with-else", "text", "Which word of the text is the first that holds no other word's first letter twice?",
        ("words = [w.strip('.,').lower() for w in text.split()]", "for w in words:\n    for v in words:\n        if w.count(v[0]) > 1:\n            break\n    else:\n        first = w\n        break\nelse:\n    first = ''",
         "first", "final_answer(first)"),
        {"text": TEXT}, other={"text": "noon abc"},
    ),
    Played(
        "list-as-a-default", "logs", "Which messages of the log come again?",
        ("def again(what, seen=[]):\n    found = what in seen\n    seen.append(what)\n    return found",
         "whats = [l.split(' ', 2)[2] for l in log.splitlines()]\nwhats", "final_answer([w for w in whats if again(w)])"),
        {"log": LOG}, other={"log": "1 ERROR x\n2 INFO y\n3 INFO x\n"},
    ),
    Played(
        "counter-in-a-class", "logs", "How many lines of the log are errors?",
        ("class Count:\n    n = 0\n    @classmethod\n    def one(cls):\n        cls.n += 1", "for l in log.splitlines():\n    if 'ERROR' in l:\n        Count.one()",
         "Count.n", "final_answer(Count.n)"),
        {"log": LOG}, other={"log": "1 ERROR x\n2 INFO y\n"},
    ),
    Played(
        "cache-over-a-tool", "stock", "How many bolts and nuts are there, and bolts again?",
        ("from functools import cache", "@cache\ndef stock(part):\n    return stock_of(part)", "counts = [stock(p) for p in ('bolt', 'nut', 'bolt')]\ncounts",
         "final_answer(counts)"),
    ),
    Played(
        "state-in-a-function", "logs", "Number the errors of the log",
        ("def number(line):\n    number.n += 1\n    return f'{number.n}: {line}'", "number.n = 0", "errors = [l.split(' ', 2)[2] for l in log.splitlines() if 'ERROR' in l]",
         "print(len(errors))", "final_answer([number(e) for e in errors])"),
        {"log": LOG}, gone=("print",), other={"log": "1 ERROR x\n2 INFO y\n"},
    ),
)  # fmt: skip
