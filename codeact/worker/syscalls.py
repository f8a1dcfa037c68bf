"""The numbers of the system calls this package names, per machine: x86-64 and AArch64."""

from __future__ import annotations

import platform

from codeact.errors import CageError

_TABLE = """
read                        0   63
write                       1   64
readv                      19   65
writev                     20   66
pread64                    17   67
pwrite64                   18   68
preadv                    295   69
pwritev                   296   70
preadv2                   327  286
pwritev2                  328  287
lseek                       8   62
close                       3   57
close_range               436  436
dup                        32   23
dup2                       33    -
dup3                      292   24
pipe                       22    -
pipe2                     293   59
open                        2    -
openat                    257   56
stat                        4    -
fstat                       5   80
lstat                       6    -
newfstatat                262   79
statx                     332  291
access                     21    -
faccessat                 269   48
faccessat2                439  439
getdents64                217   61
getcwd                     79   17
chdir                      80   49
fchdir                     81   50
readlink                   89    -
readlinkat                267   78
mkdir                      83    -
mkdirat                   258   34
rmdir                      84    -
unlink                     87    -
unlinkat                  263   35
rename                     82    -
renameat                  264   38
renameat2                 316  276
truncate                   76   45
ftruncate                  77   46
fallocate                 285   47
fsync                      74   82
fdatasync                  75   83
flock                      73   32
utimensat                 280   88
umask                      95  166
statfs                    137   43
fstatfs                   138   44
fadvise64                 221  223
copy_file_range           326  285
sendfile                   40   71
fcntl                      72   25
chmod                      90    -
fchmod                     91   52
fchmodat                  268   53
ioctl                      16   29
brk                        12  214
mmap                        9  222
munmap                     11  215
mremap                     25  216
mprotect                   10  226
madvise                    28  233
msync                      26  227
membarrier                324  283
futex                     202   98
set_robust_list           273   99
set_tid_address           218   96
rseq                      334  293
sched_yield                24  124
clone                      56  220
wait4                      61  260
waitid                    247   95
exit                       60   93
exit_group                231   94
restart_syscall           219  128
rt_sigaction               13  134
rt_sigprocmask             14  135
rt_sigreturn               15  139
rt_sigpending             127  136
rt_sigtimedwait           128  137
rt_sigsuspend             130  133
sigaltstack               131  132
pause                      34    -
clock_gettime             228  113
clock_getres              229  114
clock_nanosleep           230  115
nanosleep                  35  101
gettimeofday               96  169
time                      201    -
times                     100  153
getrusage                  98  165
getrandom                 318  278
getcpu                    309  168
uname                      63  160
sysinfo                    99  179
getpid                     39  172
getppid                   110  173
gettid                    186  178
getuid                    102  174
geteuid                   107  175
getgid                    104  176
getegid                   108  177
getresuid                 118  148
getresgid                 120  150
getgroups                 115  158
getpgrp                   111    -
getpgid                   121  155
getsid                    124  156
sched_getaffinity         204  123
prlimit64                 302  261
getrlimit                  97  163
prctl                     157  167
recvfrom                   45  207
recvmsg                    47  212
sendto                     44  206
shutdown                   48  210
getsockopt                 55  209
getsockname                51  204
getpeername                52  205
socketpair                 53  199
select                     23    -
pselect6                  270   72
poll                        7    -
ppoll                     271   73
epoll_create1             291   20
epoll_create              213    -
epoll_ctl                 233   21
epoll_wait                232    -
epoll_pwait               281   22
eventfd2                  290   19
listxattr                 194   11
llistxattr                195   12
flistxattr                196   13
getxattr                  191    8
lgetxattr                 192    9
fgetxattr                 193   10
setxattr                  188    5
lsetxattr                 189    6
fsetxattr                 190    7
clone3                    435  435
seccomp                   317  277
unshare                   272   97
mount                     165   40
pivot_root                155   41
mount_setattr             442  442
fsopen                    430  430
fsconfig                  431  431
fsmount                   432  432
landlock_create_ruleset   444  444
landlock_add_rule         445  445
landlock_restrict_self    446  446
capset                    126   91
capget                    125   90
"""

# The first number this table does not know: calls a newer kernel adds are answered like a call that does not exist.
FIRST_UNKNOWN = 470
_AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_COLUMNS = {"x86_64": 1, "aarch64": 2}


def machine() -> str:
    """This machine's name as the tables here use it; raises `CageError` for one they do not know."""
    name = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    if name not in _COLUMNS:
        raise CageError(
            "system calls",
            f"no table of system calls for {name} machines",
            "Run on x86-64 or AArch64, or with Session(isolation='inline') for code you trust",
        )
    return name


def numbers() -> dict[str, int]:
    """Name to number, for the calls this machine has."""
    column = _COLUMNS[machine()]
    rows = (line.split() for line in _TABLE.strip().splitlines())
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def audit_architecture() -> int:
    """The mark a system call of this machine's own kind carries."""
    return _AUDIT_ARCHITECTURES[machine()]
