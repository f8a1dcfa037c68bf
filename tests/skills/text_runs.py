"""Recorded runs with texts, logs, pages, files and tables."""

from __future__ import annotations

from tests.skills.playing import LOG, TEXT, Played

TEXTS = (
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
