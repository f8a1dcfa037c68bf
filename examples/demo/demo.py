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
OWN = ROOT / "demo-output"
MARK = ".codeact-demo"  # in a folder the demo made, and may make anew
FIRST = "Sum the rain of 2014 in seattle-weather.csv in inches, name the wettest month, and chart the months."
SECOND = "Which year of 2012 to 2015 had the most rain in seattle-weather.csv, and by how many inches over the driest?"


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--out", type=Path, default=OWN, help="where recordings, chart and skill go")
    asked.add_argument("--data", type=Path, default=HERE / "seattle-weather.csv", help="the table asked about")
    chosen = asked.parse_args()
    if not make_room(chosen.out):
        print(f"{chosen.out} is not empty, and not of an earlier demo: name a new folder with --out", file=sys.stderr)
        return 2
    for number, question in enumerate((FIRST, SECOND), 1):
        code = ask(number, question, out=chosen.out.resolve(), data=chosen.data.resolve())
        if code:
            return code
    print(f"\nThe chart, both recordings and the skill lie in {os.path.relpath(chosen.out)}/.")
    return 0


def make_room(out: Path) -> bool:
    """Make the folder, empty; what an earlier demo left there goes, and anything else is left alone: False."""
    if out.exists() and not (out.is_dir() and (out == OWN or (out / MARK).exists() or not any(out.iterdir()))):
        return False
    shutil.rmtree(out, ignore_errors=True)
    (out / "skills").mkdir(parents=True)
    (out / MARK).touch()
    return True


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
