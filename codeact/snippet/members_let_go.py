"""What a class lets go of is forgotten by C before it goes.

`A.x = v` takes away what `A.x` was, and C forgets after that where it found it last. What runs as that goes, such as
the end of a generator in it or a callback of a weak reference, was given it once more by `A.x`: a list in memory that
is free. So C forgets first, whoever stores: to the function of `type` that stores for all classes a few instructions
lead that call the one that forgets. A function of Python's could not stand there, as metaclasses written in C call what
stands there themselves.
"""

from __future__ import annotations

import ctypes
import mmap
import platform

from codeact.snippet.defects import exchange, have_ask, place_in
from codeact.snippet.words import dunders

_SET = -2  # how far from the flags of a class stands what stores attributes

#: Machine → instructions that keep what is given, call one function and go on to another, which are at {0} and {1}.
_INSTRUCTIONS = {
    # endbr64; push rdi; push rsi; push rdx; mov rax, {0}; call rax; pop rdx; pop rsi; pop rdi; mov rax, {1}; jmp rax
    "x86_64": "f30f1efa 57 56 52 48b8 {0} ffd0 5a 5e 5f 48b8 {1} ffe0",
    # stp x29, x30, [sp, -48]!; stp x0, x1, [sp, 16]; str x2, [sp, 32]; ldr x16, {0}; blr x16;
    # ldp x0, x1, [sp, 16]; ldr x2, [sp, 32]; ldp x29, x30, [sp], 48; ldr x16, {1}; br x16
    "aarch64": "fd7bbda9 e00701a9 e21300f9 f0000058 00023fd6 e00741a9 e21340f9 fd7bc3a8 90000058 00021fd6 {0} {1}",
}

_pages: list[mmap.mmap] = []  # where the instructions are


def guard() -> None:
    """Put it in place, in the whole process; more calls do nothing. Instructions are made here, so before any cage."""
    instructions = _INSTRUCTIONS.get(platform.machine())
    if _pages or instructions is None:
        return
    page = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    functions = ctypes.cast(ctypes.pythonapi.PyType_Modified, ctypes.c_void_p).value, place_in(type, _SET).value
    page.write(bytes.fromhex(instructions.format(*((at or 0).to_bytes(8, "little").hex() for at in functions))))
    _pages.append(page)
    at = ctypes.c_void_p.from_address(id(page) + object.__basicsize__).value
    protect = ctypes.pythonapi.mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    if protect(at, mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_EXEC):
        return  # the machine lets nobody make instructions
    exchange(type, _SET, at, ours=True)
    for name in dunders("setattr delattr"):  # by these C tells what stores
        have_ask(vars(type)[name], at)
