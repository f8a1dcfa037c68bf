"""Many sessions, one after the other: nothing of them is left."""

from __future__ import annotations

import os

from codeact.limits import Limits, Policy
from codeact.sandbox import launch


def open_and_close(times: int) -> None:
    for _ in range(times):
        launch.start(policy=Policy(), limits=Limits(), checked=False).close()


def left(zygote: int, below) -> tuple[int, int, list[int], int, int]:
    with open(f"/proc/{zygote}/maps", "rb") as maps, open(f"/proc/{zygote}/mounts", "rb") as mounts:
        mapped, mounted = len(maps.readlines()), len(mounts.readlines())
    return len(os.listdir("/proc/self/fd")), len(os.listdir(f"/proc/{zygote}/fd")), below(zygote), mapped, mounted


def test_two_hundred_sessions_leave_no_descriptor_process_mapping_or_mount(zygote_pid, below):
    open_and_close(10)
    before = left(zygote_pid(), below)
    open_and_close(200)

    assert left(zygote_pid(), below) == before
