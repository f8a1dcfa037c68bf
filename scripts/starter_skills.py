"""How the starter skills came to be: runs on real input, each promoted through the gate into a folder.

The replies are written by hand, as a model would; all else happens now. `python scripts/starter_skills.py FOLDER`
makes the skills of `skills/` again.
"""

import csv
import sys
from pathlib import Path

from codeact import Agent, SkillLibrary
from codeact.skills.record import Promoted
from codeact.testing import ScriptedModel

DATA = Path(__file__).parents[1] / "examples" / "demo" / "seattle-weather.csv"
WEATHER = [
    {"month": row["date"][:7], "weather": row["weather"], "rain": float(row["precipitation"])}
    for row in csv.DictReader(DATA.open())
][:120]
LOG = """\
2026-03-01 08:00:01 INFO start
2026-03-01 08:00:09 WARNING slow disk
2026-03-01 08:02:11 ERROR timeout
2026-03-01 08:02:12 ERROR timeout
2026-03-01 08:03:00 INFO stop
"""
NOTE = "Ask ann@example.org or bob.b@example.com; ann@example.org is away until Monday."

RUNS = (
    (
        "Total the rows: the sum of 'rain' for each 'month'",
        {"rows": WEATHER},
        ("print(rows[0])\nlen(rows)", "sum(row['mm'] for row in rows)",
         "totals = {}\nfor row in rows:\n    totals[row['month']] = totals.get(row['month'], 0) + row['rain']\n"
         "print(totals)",
         "final_answer({key: round(total, 6) for key, total in totals.items()})"),
    ),
    (
        "Tally values of 'weather' in the rows, most frequent first",
        {"rows": WEATHER},
        ("rows[:2]", "from collections import Counter\ncounts = Counter(row['weather'] for row in rows)\ncounts",
         "final_answer(dict(sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0])))))"),
    ),
    (
        "Find outliers: the numbers more than 1.5 quartile ranges outside the middle half",
        {"numbers": [row["rain"] for row in WEATHER]},
        ("numbers[:5]", "import statistics\nlow, _, high = statistics.quantiles(numbers, n=4)\nprint(low, high)",
         "reach = 1.5 * (high - low)\nfinal_answer([x for x in numbers if x < low - reach or x > high + reach])"),
    ),
    (
        "Deduplicate rows: keep the first of each 'weather'",
        {"rows": WEATHER},
        ("print(len(rows))", "seen = set()\nkept = []\nfor row in rows:\n    if row['weather'] not in seen:\n"
         "        seen.add(row['weather'])\n        kept.append(row)\nlen(kept)", "final_answer(kept)"),
    ),
    (
        "Extract email addresses: each in the text once, in order",
        {"text": NOTE},
        ("text[:40]", r"import re" "\n" r"found = re.findall(r'[\w.+-]+@[\w-]+\.[\w.-]*\w', text)" "\nfound",
         "final_answer(list(dict.fromkeys(found)))"),
    ),
    (
        "Count log levels: the lines of each level",
        {"log": LOG},
        ("print(log[:60])", "import re\nlevels = re.findall(r'\\b(DEBUG|INFO|WARNING|ERROR|CRITICAL)\\b', log)\nlevels",
         "counts = {}\nfor level in levels:\n    counts[level] = counts.get(level, 0) + 1\nfinal_answer(counts)"),
    ),
    (
        "Smooth a series: the moving average of 7 values",
        {"series": [row["rain"] for row in WEATHER[:40]]},
        ("series[:8]", "smooth = [sum(series[i:i + 7]) / 7 for i in range(len(series) - 7 + 1)]\nsmooth[:3]",
         "final_answer([round(x, 6) for x in smooth])"),
    ),
)  # fmt: skip


def make(folder: Path) -> int:
    """Run, promote, and say what came of each; 1 where one was declined."""
    library = SkillLibrary(folder)
    declined = 0
    for task, inputs, blocks in RUNS:
        replies = [f"```python\n{block}\n```" for block in blocks]
        run = Agent(ScriptedModel(replies), runs=None).run(task, inputs=inputs)
        outcome = library.promote(run)
        declined += not outcome
        print(outcome.skill.signature if isinstance(outcome, Promoted) else f"declined: {outcome.reason}")
    return int(declined > 0)


if __name__ == "__main__":
    sys.exit(make(Path(sys.argv[1] if len(sys.argv) > 1 else "starter-skills")))
