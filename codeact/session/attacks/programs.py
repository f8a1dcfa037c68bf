"""Attacks on the cage, a few lines each: an expression, or statements before one. It got through where that is true."""

from __future__ import annotations

FILES: dict[str, str] = {
    "see the list of users": "through(lambda: os.stat('/etc/passwd'))",
    "see processes": "through(lambda: os.listdir('/proc'))",
    "read its own environment": "through(lambda: open('/proc/self/environ').read())",
    "open its own memory": "through(lambda: open('/proc/self/mem', 'r+b'))",
    "reach the root through itself": "through(lambda: os.listdir('/proc/self/root'))",
    "reopen a descriptor": "through(lambda: open('/proc/self/fd/3'))",
    "tell the kernel what to run": "through(lambda: open('/proc/sys/kernel/core_pattern', 'w'))",
    "see the kernel's settings": "through(lambda: os.listdir('/sys'))",
    "see groups of processes": "through(lambda: os.listdir('/sys/fs/cgroup'))",
    "see devices": (
        "[name for name in ('mem', 'kmsg', 'kvm', 'fuse', 'tty', 'ptmx', 'full', 'zero', 'shm', 'mqueue', "
        "'net/tun', 'loop-control', 'vsock', 'userfaultfd', 'input', 'dri') if through(lambda: os.stat('/dev/' + "
        "name))]"
    ),
    "write to a device": "through(lambda: os.open('/dev/urandom', os.O_WRONLY))",
    "list the root": "through(lambda: os.listdir('/'))",
    "list what lies above": (
        "[up for up in ('..', '../..', '/session/..', '/forks') if through(lambda: os.listdir(up))]"
    ),
    "see the temporary folder": (
        "[p for p in ('/tmp', '/var/tmp', '/dev/shm', '/run', '/home', '/root', '/mnt') if through(lambda: "
        "os.listdir(p))]"
    ),
    "write beside Python": "through(lambda: open(os.path.dirname(os.__file__) + '/planted.py', 'w'))",
    "replace a module": "through(lambda: os.rename(os.__file__, os.__file__ + '.old'))",
    "remove a module": "through(lambda: os.unlink(os.__file__))",
    "empty a module": "through(lambda: os.open(os.__file__, os.O_RDONLY | os.O_TRUNC))",
    "open a module for neither reading nor writing": "through(lambda: os.open(os.__file__, 3))",
    "shorten a module": "through(lambda: os.truncate(os.__file__, 0))",
    "open a module for writing": "through(lambda: os.open(os.__file__, os.O_RDWR))",
    "change a module's mode": "through(lambda: os.chmod(os.__file__, 0o777))",
    "change a module's times": "through(lambda: os.utime(os.__file__, (1, 1)))",
    "change an open module's mode": "through(lambda: os.fchmod(os.open(os.__file__, os.O_RDONLY), 0o777))",
    "change an open module's times": "through(lambda: os.utime(os.open(os.__file__, os.O_RDONLY), (1, 1)))",
    "plant compiled code": "through(lambda: os.mkdir(os.path.dirname(os.__file__) + '/__pycache__x'))",
    "a nameless file elsewhere": "through(lambda: os.open('/', os.O_TMPFILE | os.O_RDWR))",
    "a place without rights": "through(lambda: os.open('/home', os.O_PATH))",
    "a file beside its folder": "[p for p in ('/session2', '/forks/x', '../x', '/x') if through(lambda: open(p, 'w'))]",
    "a symbolic link": "through(lambda: os.symlink('/', 'link'))",
    "a second name for a module": "through(lambda: os.link(os.__file__, 'hard'))",
    "a pipe with a name": "through(lambda: os.mkfifo('fifo'))",
    "a local socket with a name": "through(lambda: socket.socket(socket.AF_UNIX).bind('door'))",
    "a device": "through(lambda: os.mknod('device', 0o20666, os.makedev(1, 1)))",
    "a device in the place of a file": (
        "open('moved', 'w').close()\ncall(316, 276, -100, b'moved', -100, b'to', 4)\nnot os.path.isfile('moved')"
    ),
    "a file that runs as its owner": "open('suid', 'w').close()\nthrough(lambda: os.chmod('suid', 0o4755))",
    "a file that runs as its group": "through(lambda: os.open('sgid', os.O_CREAT | os.O_WRONLY, 0o2755))",
    "a program of its own": (
        "open('run', 'w').write('#!/bin/sh')\nos.chmod('run', 0o755)\nthrough(lambda: os.execv('./run', ['run']))"
    ),
    "a file of its own as code": (
        "open('code', 'wb').write(bytes(4096))\n"
        "not refused(call(9, 222, 0, 4096, 5, 2, os.open('code', os.O_RDONLY), 0))"
    ),
    "written memory as code": (
        "page = call(9, 222, 0, 4096, 3, 0x22, -1, 0)\npage > 0 and not refused(call(10, 226, page, 4096, 5))"
    ),
    "a folder moved into another's": "os.mkdir('moved')\nthrough(lambda: os.rename('moved', '/forks/moved'))",
    "more than the folder holds": (
        "def fill():\n    for n in range(64):\n        open(f'f{n}', 'wb').write(bytes(1 << 20))\nthrough(fill)"
    ),
    "more than the folder holds, at once": (
        "through(lambda: os.posix_fallocate(os.open('big', os.O_CREAT | os.O_RDWR), 0, 1 << 30))"
    ),
    "more files than the folder holds": (
        "def fill():\n    for n in range(100_000):\n        os.mkdir(f'd{n}')\nthrough(fill)"
    ),
    "more than the folder holds, nameless": (
        "def fill():\n"
        "    for n in range(40):\n"
        "        os.write(os.open('.', os.O_TMPFILE | os.O_RDWR), bytes(1 << 20))\n"
        "through(fill)"
    ),
    "a file longer than allowed": (
        "with open('long', 'wb') as f:\n    found = through(lambda: f.truncate(1 << 40))\nfound"
    ),
    "the disk past the host's cache": "through(lambda: os.open(os.__file__, os.O_RDONLY | os.O_DIRECT))",
    "the disk made to write out its cache": "[n for n in ((74, 82), (75, 83)) if call(*n, os.pipe()[0])]  # no file",
    "attributes that take room": "through(lambda: os.setxattr('.', 'user.x', bytes(60_000)))",
    "a race between a name and its use": (
        "os.mkdir('a')\n"
        "os.rename('a', 'b')\n"
        "through(lambda: os.symlink('/etc', 'a')) and through(lambda: open('a/passwd'))"
    ),
}
PROCESSES: dict[str, str] = {
    "processes without end": "[n for n in range(8) if through(fork)][2:]",
    "threads without end": (
        "def start():\n"
        "    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
        "[n for n in range(8) if through(start)][3:]"
    ),
    "a daemon": "through(os.setsid)",
    "the number of root": "os.getuid() == 0 or os.geteuid() == 0 or os.getgid() == 0",
    "groups": "[group for group in os.getgroups() if group in (0, 6, 27, 44, 105, 999)] and os.getuid() == 0",
    "a capability": "capabilities()",
    "privileges by a program": "libc.prctl(39, 0, 0, 0, 0) != 1",
    "a mode without a filter": "libc.prctl(21, 0, 0, 0, 0) == 0",
    "the host's environment": "[name for name in os.environ if name in ('PATH', 'USER', 'SHELL') or 'KEY' in name]",
    "the host's name": "os.uname().nodename == HOST_NAME",
    "open descriptors": "[d for d in range(4, 300) if kind(d) in ('socket', 'file', 'folder')]",
    "descriptors without end": "through(lambda: [os.dup(0) for _ in range(400)])",
    "network interfaces": "[name for _, name in socket.if_nameindex() if name != 'lo']",
    "a name looked up": "through(lambda: socket.getaddrinfo('localhost', 80))",
    "a program through a shell": "os.system('true') == 0",
    "a program in a terminal": "import pty\nthrough(lambda: pty.spawn(['/bin/true']))",
    "a module of machine code of its own": (
        "open('m.so', 'wb').write(b'\\x7fELF' + bytes(4096))\nthrough(lambda: ctypes.CDLL('./m.so'))"
    ),
    "a signal through an alarm": "through(lambda: signal.setitimer(signal.ITIMER_REAL, 1))",
    "a signal to its zygote": "through(lambda: os.kill(os.getppid(), 9))",
    "a signal to the first process": "through(lambda: os.kill(1, 9))",
    "another's niceness": "through(lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19))",
    "higher limits": "through(lambda: [resource.setrlimit(k, (resource.RLIM_INFINITY,) * 2) for k in range(9)])",
    "a core file": "through(lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20)))",
}
MEMORY: dict[str, str] = {
    "memory at once": "through(lambda: bytearray(600 << 20))",
    "memory mapped": (
        "import mmap\nthrough(lambda: mmap.mmap(-1, 600 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))"
    ),
    "memory from C": (
        "libc.malloc.restype = ctypes.c_void_p\nheld = [libc.malloc(64 << 20) for _ in range(12)]\nNone not in held"
    ),
    "memory grown": (
        "page = call(9, 222, 0, 4096, 3, 0x22, -1, 0)\ngrown = call(25, 216, page, 4096, 600 << 20, 1)\ngrown > 0"
    ),
    "memory of the heap's end": (
        "libc.sbrk.restype = ctypes.c_void_p\nlibc.sbrk(ctypes.c_long(600 << 20)) not in (None, 2 ** 64 - 1)"
    ),
    "memory in pipes": (
        "def fill():\n    for _ in range(400):\n        os.write(os.pipe()[1], bytes(65_536))\nthrough(fill)"
    ),
    "memory in pairs of sockets": (
        "def fill():\n    for _ in range(400):\n        socket.socketpair()[0].send(bytes(60_000))\nthrough(fill)"
    ),
    "memory behind the first process": (
        "def spread():\n"
        "    for _ in range(4):\n"
        "        if fork() == 0:\n"
        "            held = bytearray(200 << 20)\n"
        "            time.sleep(30)\n"
        "through(spread)"
    ),
}
# The host is to notice each of these: the step ends, and the session answers the next one.
ENDINGS: dict[str, str] = {
    "never come back": "while True: pass",
    "sleep for ever": "time.sleep(1e6)",
    "wait for a signal that never comes": "libc.pause()",
    "wait for its own pipe": "os.read(os.pipe()[0], 1)",
    "ignore every signal": (
        "[through(lambda n=n: signal.signal(n, signal.SIG_IGN)) for n in range(1, 65)]\nwhile True: pass"
    ),
    "die": "os._exit(0)",
    "crash": "ctypes.string_at(0)",
    "abort": "os.abort()",
    "overflow the stack": "sys.setrecursionlimit(1 << 30)\ndef deep(): return deep()\ndeep()",
    "call as another kind of machine": "call(0x40000000 | 39, 0x40000000 | 172)",
    "close the socket": "os.close(3)\nwhile True: pass",
    "put something else in the socket's place": "os.dup2(os.pipe()[0], 3)\nwhile True: pass",
    "close everything": "os.closerange(0, 300)\nwhile True: pass",
    "shut the socket": "socket.socket(fileno=3).shutdown(2)\nwhile True: pass",
    "read what the host says": "[os.read(3, 70_000) for _ in range(9)]",
    "dismiss its backups": "[os.write(d, b'\\xff') for d in range(4, 99) if kind(d) == 'pipe']\nos._exit(0)",
    "wake its backups": "[os.write(d, b'\\0') for d in range(4, 99) if kind(d) == 'pipe']\nos._exit(0)",
    "close its backups' pipes": "[os.close(d) for d in range(4, 99) if kind(d) == 'pipe']\nwhile True: pass",
    "hold its backups' pipes in a child": "os.waitpid(-1, 1)\nfork() or time.sleep(60)\nos._exit(0)",
    "say that it was rolled back": "say('rolled-back', 0)\nsay('rolled-back', FIRST)\nwhile True: pass",
    "say that it went back": "say('rewound', '')\nwhile True: pass",
    "say that it went back beyond all bounds": "say('rewound', '', 1 << 40)\nwhile True: pass",
    "say that it missed the step": "say('missed', FIRST)\nwhile True: pass",
    "say that it was rolled back and missed the step": (
        "say('rolled-back', FIRST)\nsay('missed', FIRST)\nsay('done', '')\nwhile True: pass"
    ),
    "answer that it is steady, and be so no more": (
        "say('finished', 1, '', None, [0, 0, 0, 0.0, 0], False, None, [], [], FIRST, True, True)\nwhile True: pass"
    ),
    "answer that it is steady, and die": (
        "say('finished', 1, '', None, [0, 0, 0, 0.0, 0], False, None, [], [], FIRST, True, True)\nos._exit(0)"
    ),
    "say that it is done, twice": "[say('done', '') for _ in range(2)]\nwhile True: pass",
    "call a tool that is none": "say('call', FIRST + 1, 'os.system', ['true'], {}, False)\nwhile True: pass",
    "call out of order": "say('call', 7, 'note', [1], {}, False)\nwhile True: pass",
    "call with a description": (
        "say('call', FIRST + 1, 'note', [{0: 'described', 1: 't', 2: 'u'}], {}, False)\nwhile True: pass"
    ),
    "call too often": "[say('call', FIRST + n, 'note', [1], {}, True) for n in range(1, 99)]\nwhile True: pass",
    "say noise": "[os.write(3, os.urandom(99)) for _ in range(99)]\nwhile True: pass",
    "say what is nested to death": "os.write(3, b'\\x03' + b'\\x91' * 60_000)\nwhile True: pass",
    "say what claims to be huge": "os.write(3, b'\\x03\\xdd\\xff\\xff\\xff\\xff')\nwhile True: pass",
    "say a message without end": (
        "os.write(3, b'\\x01' + bytes(60_000))\nwhile True: os.write(3, b'\\x00' + bytes(60_000))"
    ),
    "print without end": "while True: say('output', 'x' * 60_000)",
    "answer with a value that grows": (
        "say('finished', [[[]] * 9] * 999, '', None, [0, 0, 0, 0.0, 0], False, None, [], [], FIRST)"
    ),
    "answer with costs below nothing": (
        "say('finished', 1, '', None, [-9, -9, -9, -1.0, -9], False, None, [], [], FIRST)"
    ),
    "answer with names of files elsewhere": (
        "say('finished', 1, '', None, [0, 0, 0, 0.0, 0], False, None, [['../../x', 1], ['/etc/passwd', 1]], [], FIRST)"
    ),
    "answer for a step to come": (
        "say('finished', 1, '', None, [0, 0, 0, 0.0, 0], False, None, [], [], FIRST << 1)\nwhile True: pass"
    ),
    "print nothing, without end": "while True: say('output', '')",
    "print more at once than a step may": "while True: say('output', 'x' * 20_000_000)",
    "answer for an earlier step, again and again": "while True: answer([[]] * 100_000, FIRST - 1)",
    "answer with a million parts": "answer([{}] * 900_000)",
    "answer with keys that collide": "answer({0: 'set', 1: colliding(50_000) + list(range(10_000))})",
    "answer with many sets of keys that collide": "answer([{0: 'set', 1: colliding(900)}] * 300)",
    "call with keys that collide": (
        "keys = [part for key in colliding(50_000) for part in (key, 1)]\n"
        "say('call', FIRST + 1, 'note', [{0: 'dict', 1: keys + list(range(20_000))}], {}, False)"
    ),
    "answer with labels that collide": (
        "rows = [{0: 'tuple', 1: [1, key]} for key in colliding(50_000)]\nanswer({0: 'levels', 1: rows, 2: ['a', 'b']})"
    ),
    "answer with categories that collide": (
        "answer({0: 'series', 1: {0: 'steps', 1: [0, 50_000, 1], 2: None}, 2: ['category', colliding(50_000)], 3: "
        "None})"
    ),
    "answer with a number that takes for ever to write": (
        "answer({0: 'fraction', 1: {0: 'int', 1: b'\\x7f' * 1786}, 2: {0: 'int', 1: b'\\x7d' * 1786}})"
    ),
    "answer with arrays of nothing": "answer([{0: 'array', 1: '<f8', 2: [0] * 32, 3: b''}] * 50_000)",
    "answer with a range without end": "answer([{0: 'range', 1: [0, 1 << 62, 1]}] * 1000)",
    "answer with many kinds of records": "answer([{0: 'record', 1: f'R{n}', 2: ['a'], 3: [1]} for n in range(9000)])",
    "nest folders beyond any path": "for _ in range(3000):\n    os.mkdir('n')\n    os.chdir('n')\nos._exit(1)",
    "leave its folder without rights": "os.chmod('.', 0)\nos._exit(1)",
}
