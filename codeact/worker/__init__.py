"""Their side of the wall: what runs inside the caged process.

`main` is the loop of a zygote, which forks sessions and runs nothing of anybody's; `serve` is the loop of a session.

    The zygote and those it looks after
        zygote sessions family census watch leftovers ahead prepared birth page
    The cage, put on by each session before its first line
        cage kernel mounts landlock rlimits seccomp bpf syscalls
    A session at work
        place namespace calls tool_errors stubs output yields chance stack spare
    Its states, and its files
        checkpoint copies folder handles kept nested
"""
