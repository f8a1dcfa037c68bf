"""Two questions about Seattle's weather: the first is worked out step by step and kept as a skill, the second calls it.

The model's replies are a recording, written by hand as a model would; all else happens now: checks, tools, errors,
numbers, the chart, the proof of the skill. With another data file the answers are others.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIRST = "Sum the rain of 2014 in seattle-weather.csv in inches, name the wettest month, and chart the months."
SECOND = "Which year of 2012 to 2015 had the most rain in seattle-weather.csv, and by how many inches over the driest?"


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--out", type=Path, default=ROOT / "demo-output", help="where recordings, chart and skill go")
    asked.add_argument("--data", type=Path, default=HERE / "seattle-weather.csv", help="the table asked about")
    chosen = asked.parse_args()
    shutil.rmtree(chosen.out, ignore_errors=True)
    (chosen.out / "skills").mkdir(parents=True)
    for number, question in enumerate((FIRST, SECOND), 1):
        code = ask(number, question, out=chosen.out.resolve(), data=chosen.data.resolve())
        if code:
            return code
    print(f"\nThe chart, both recordings and the skill lie in {os.path.relpath(chosen.out)}/.")
    return 0


def ask(number: int, question: str, *, out: Path, data: Path) -> int:
    """Run one question through the command line; give its exit code."""
    command = ["run", question, "--model", f"recorded:{HERE / f'replies-{number}.jsonl'}"]
    command += ["--tools", str(ROOT / "tools"), "--skills", str(out / "skills"), "--import", "matplotlib"]
    command += ["--record", str(out / f"run-{number}.jsonl"), "--pictures", str(out)]
    command += ["--promote"] if number == 1 else []
    flags = " --promote" if number == 1 else ""
    print(f'\n$ codeact run "{question}" --tools tools{flags}\n', flush=True)
    return subprocess.run([sys.executable, "-m", "codeact", *command], cwd=data.parent, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
