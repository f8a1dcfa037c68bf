"""Modules no policy can allow, and what to do instead."""

from __future__ import annotations

from codeact.snippet.words import words

_PROCESS = "it starts processes or changes this one; ask for a tool that does what is needed"
_NETWORK = "it reaches the network; ask for a tool that does what is needed"
_INSIDE = "it reaches into the interpreter"
_RUNS = "it makes code from data"
_FILES = "it works on files anywhere; use open, pathlib or os.path inside the working folder"
_WINDOWS = "it opens windows and runs programs; draw with matplotlib"
_TERMINAL = "nobody is there to answer; use the inputs you were given"
_UNPICKLES = "reading its data can run any code; use json"

#: Module → why, and what instead.
REFUSED: dict[str, str] = {
    **dict.fromkeys(
        words("subprocess multiprocessing pty signal atexit posix nt resource fcntl termios tty"), _PROCESS
    ),
    **dict.fromkeys(
        words("_posixsubprocess _multiprocessing syslog grp pwd spwd crypt readline curses webbrowser"), _PROCESS
    ),
    **dict.fromkeys(words("pipes mailcap distutils antigravity ossaudiodev nis"), _PROCESS),
    **dict.fromkeys(words("tkinter turtle turtledemo idlelib"), _WINDOWS),
    "getpass": _TERMINAL,
    **dict.fromkeys(
        words("socket ssl select selectors socketserver http urllib.request urllib.error ftplib smtplib"), _NETWORK
    ),
    **dict.fromkeys(
        words("urllib.robotparser xmlrpc imaplib poplib telnetlib nntplib requests httpx aiohttp urllib3"), _NETWORK
    ),
    **dict.fromkeys(words("asyncore asynchat smtpd wsgiref cgi"), _NETWORK),
    **dict.fromkeys(words("ctypes cffi importlib pkgutil imp builtins sysconfig site zipimport runpy"), _INSIDE),
    **dict.fromkeys(
        words("faulthandler tracemalloc dis opcode symtable code codeop bdb pdb trace linecache mmap"), _INSIDE
    ),
    **dict.fromkeys(
        words("_ctypes _io _thread _frozen_importlib ensurepip venv unittest test cProfile profile"), _INSIDE
    ),
    **dict.fromkeys(words("pydoc cgitb"), _INSIDE),
    "optparse": f"{_RUNS}; use argparse",
    "pstats": _RUNS,
    **dict.fromkeys(words("marshal compileall py_compile rlcompleter doctest lib2to3 modulefinder"), _RUNS),
    **dict.fromkeys(words("pickle shelve copyreg dbm cloudpickle dill joblib"), _UNPICKLES),
    **dict.fromkeys(words("fileinput filecmp tarfile sqlite3 netrc mailbox genericpath"), _FILES),
    **dict.fromkeys(words("zipapp pyclbr tabnanny"), _FILES),
    **dict.fromkeys(words("posixpath ntpath"), "use os.path"),
    "codeact": "it is what runs the snippet",
}
