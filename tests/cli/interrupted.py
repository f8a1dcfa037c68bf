"""Run as a program: start a command, interrupt it at a moment, and report how it ended and what it left behind.

Usage: interrupted.py MARKER|MILLISECONDS FOLDER ARGUMENTS…   The report is one JSON object.

It becomes the reaper of everything that outlives the command, so that a process left behind is its child.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_SECONDS = 60


def children() -> list[str]:
    """The command lines of the processes that are ours now; those already dead are collected first."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                break
        except ChildProcessError:
            break
    mine = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode() for pid in mine]


def await_moment(moment: str, folder: Path, process: "subprocess.Popen[bytes]") -> None:
    """Wait for the marker file, or for the time to pass, or for the command to end by itself."""
    end = time.monotonic() + (float(moment) / 1000 if moment.isdigit() else PATIENCE_SECONDS)
    while time.monotonic() < end and process.poll() is None and (moment.isdigit() or not (folder / moment).exists()):
        time.sleep(0.002)


def main() -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    moment, folder, arguments = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    with open(folder / "out.txt", "wb") as out, open(folder / "err.txt", "wb") as err:
        process = subprocess.Popen([sys.executable, "-m", "codeact", *arguments], cwd=folder, stdout=out, stderr=err)
        await_moment(moment, folder, process)
        process.send_signal(signal.SIGINT)
        code = process.wait(PATIENCE_SECONDS)
    left, end = children(), time.monotonic() + PATIENCE_SECONDS
    while left and time.monotonic() < end:  # what was killed with the command may still be on its way out
        time.sleep(0.01)
        left = children()
    texts = {name: (folder / f"{name}.txt").read_text() for name in ("out", "err")}
    print(json.dumps({"code": code, "left": left} | texts))


if __name__ == "__main__":
    main()
