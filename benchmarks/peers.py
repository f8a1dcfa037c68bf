"""Ours beside the peers, by the comparison harness where it lies beside the checkout.

The harness and its data are not part of this project. `CODEACT_BENCH` names another folder than ../shared/bench.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.rows import Row

HARNESS = Path(os.environ.get("CODEACT_BENCH") or Path(__file__).parents[2] / "shared" / "bench")
OURS = "project:codeact_adapter:make_session"
# What is measured, and which peers can do the same work.
COMPARISONS = {
    "fidelity": ("monty",),
    "speed": ("cpython", "monty", "smolagents"),
    "latency": ("monty", "smolagents"),
    "metering": ("monty",),
}


def measure() -> Iterator[Row]:
    """Run each comparison, printing the harness's own table; a row says what was run and what was not."""
    if not (HARNESS / "harness.py").is_file():
        yield Row("beside the peers", None, "", note=f"the harness is not in {HARNESS.name}/ beside the checkout")
        return
    for name, peers in COMPARISONS.items():
        print(f"comparing {name} with {', '.join(peers)} …", file=sys.stderr, flush=True)
        command = [sys.executable, str(HARNESS / "harness.py"), name, "--adapter", OURS, *peers]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(HARNESS), os.environ.get("PYTHONPATH", "")))}
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        print(ran.stdout.strip() or ran.stderr.strip()[-2000:], flush=True)
        note = "see above" if ran.returncode == 0 else f"the harness ended with {ran.returncode}"
        yield Row(f"{name} beside {', '.join(peers)}", None, "", note=note)
