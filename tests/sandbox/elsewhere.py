"""Run a program as somebody else, or where less is allowed: `elsewhere.py [WISH…] PROGRAM`.

The wishes are `user`, `no-namespaces`, `no-landlock`, `no-proc`. Started as root. `user` drops to an ordinary user after making a private view of the file system in which that user
can enter every folder this Python and this package lie in. The others load a filter that refuses the calls.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile

import codeact
from codeact.worker import bpf, kernel, seccomp, syscalls

USER = 12_345


def main() -> None:
    *wishes, program = sys.argv[1:]
    if "no-proc" in wishes:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", "", flags=kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.mount("empty", "/proc", "tmpfs", flags=0)
    if "user" in wishes:
        open_closed_folders()
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    refused = {"no-namespaces": ("unshare",), "no-landlock": ("landlock_create_ruleset",)}
    refuse([name for wish in wishes for name in refused.get(wish, ())])
    os.chdir("/")
    os.execv(sys.executable, [sys.executable, "-c", program])


def open_closed_folders() -> None:
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", "", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    package = os.path.dirname(os.path.dirname(codeact.__file__))
    needed = {os.path.realpath(place) for place in (sys.prefix, sys.base_prefix, package)}
    needed |= {os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))}
    for place in sorted(needed):
        closed = next((folder for folder in ancestors(place) if not os.stat(folder).st_mode & 0o001), None)
        if closed is None:
            continue
        below = sorted(other for other in needed if other.startswith(closed + "/"))
        copies = [tempfile.mkdtemp() for _ in below]
        for source, copy in zip(below, copies, strict=True):
            kernel.mount(source, copy, "", flags=kernel.MS_BIND | kernel.MS_REC)
        kernel.mount("open", closed, "tmpfs", flags=0, options="mode=755")
        for source, copy in zip(below, copies, strict=True):
            os.makedirs(source, exist_ok=True)
            kernel.mount(copy, source, "", flags=kernel.MS_BIND | kernel.MS_REC)
            kernel.unmount(copy)
            os.rmdir(copy)


def ancestors(place: str) -> list[str]:
    parts = place.split("/")
    return ["/".join(parts[:length]) for length in range(2, len(parts))]


def refuse(names: list[str]) -> None:
    if not names:
        return
    numbers = syscalls.numbers()
    rules = [bpf.Rule(numbers[name], (), bpf.error(errno.EPERM)) for name in names]
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    architecture = syscalls.audit_architecture()
    allow = bpf.ALLOW
    seccomp.load(bpf.assemble(rules, architecture=architecture, first_unknown=1 << 20, unknown=allow, default=allow))


if __name__ == "__main__":
    main()
