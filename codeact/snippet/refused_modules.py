"""Modules no policy can allow, and what to do instead."""

from __future__ import annotations

from codeact.snippet.words import words

_PROCESS = "it starts processes or changes this one; ask for a tool that does what is needed"
_NETWORK = "it reaches the network; ask for a tool that does what is needed"
_INSIDE = "it reaches into the interpreter"
_RUNS = "it makes code from data"
_ANYWHERE = "it works on files anywhere"
_FILES = f"{_ANYWHERE}; use open, pathlib or os.path inside the working folder"
_WINDOWS = "it opens windows and runs programs; draw with matplotlib"
_TERMINAL = "nobody is there to answer; use the inputs you were given"
_UNPICKLES = "reading its data can run any code; use json"
_TESTS = "it finds tests in modules and reads their frames; write functions with assert statements and call them"
_WATCHES = "it watches the interpreter itself; use time.perf_counter() around what takes long"
_IMPORTS = "it looks for modules; use an import statement"

#: Module → why, and what instead.
REFUSED: dict[str, str] = {
    **dict.fromkeys(words("subprocess pty signal atexit posix nt resource fcntl termios tty"), _PROCESS),
    "multiprocessing": "it starts processes; use concurrent.futures.ThreadPoolExecutor, or f.map(items) of a tool",
    **dict.fromkeys(
        words("_posixsubprocess _multiprocessing syslog grp pwd spwd crypt readline curses webbrowser"), _PROCESS
    ),
    **dict.fromkeys(words("pipes mailcap distutils antigravity ossaudiodev nis"), _PROCESS),
    **dict.fromkeys(words("tkinter turtle turtledemo idlelib"), _WINDOWS),
    "getpass": _TERMINAL,
    "gettext": "it changes the whole process, and makes code from data; keep texts in a dictionary",
    **dict.fromkeys(
        words("socket ssl select selectors socketserver urllib.request urllib.error ftplib smtplib"), _NETWORK
    ),
    **dict.fromkeys(
        words("urllib.robotparser xmlrpc imaplib poplib telnetlib nntplib requests httpx aiohttp urllib3"), _NETWORK
    ),
    **dict.fromkeys(words("asyncore asynchat smtpd wsgiref cgi"), _NETWORK),
    **dict.fromkeys(words("http.client http.server http.cookiejar"), _NETWORK),
    **dict.fromkeys(words("ctypes cffi builtins sysconfig site faulthandler dis opcode symtable"), _INSIDE),
    **dict.fromkeys(words("code codeop bdb pdb linecache mmap ensurepip venv test pydoc cgitb"), _INSIDE),
    **dict.fromkeys(words("_ctypes _io _thread _frozen_importlib _interpreters _remote_debugging"), _INSIDE),
    "concurrent.interpreters": "no rule holds in another interpreter; use concurrent.futures.ThreadPoolExecutor",
    **dict.fromkeys(words("importlib pkgutil imp zipimport runpy modulefinder"), _IMPORTS),
    **dict.fromkeys(words("cProfile profile pstats tracemalloc trace"), _WATCHES),
    **dict.fromkeys(words("unittest doctest"), _TESTS),
    "unittest.mock": "it takes the place of anything; let a function or a types.SimpleNamespace stand for it",
    "optparse": f"{_RUNS}; use argparse",
    "annotationlib": "it evaluates texts as they are; use typing.get_type_hints",
    **dict.fromkeys(words("marshal compileall py_compile rlcompleter lib2to3"), _RUNS),
    **dict.fromkeys(words("pickle shelve copyreg dbm cloudpickle dill joblib"), _UNPICKLES),
    **dict.fromkeys(words("fileinput filecmp netrc mailbox genericpath zipapp pyclbr tabnanny"), _FILES),
    "tarfile": f"{_ANYWHERE}; use zipfile",
    "compression": f"{_ANYWHERE}; use gzip, bz2, lzma or zlib",
    **dict.fromkeys(words("posixpath ntpath"), "use os.path"),
    "pyarrow.dataset": f"{_ANYWHERE}; pyarrow.parquet.read_table(folder, filters=…) reads all files in a folder",
    "pyarrow.fs": _FILES,
    "pyarrow.ipc": f"{_ANYWHERE}; use pyarrow.feather or pyarrow.parquet",
    "pyarrow.cffi": _INSIDE,
    "pyarrow.flight": _NETWORK,
    "pydantic_core": f"{_INSIDE}; use pydantic",
    "codeact": "it is what runs the snippet",
    "__main__": "its names are those of the snippet: use them as they are, or globals()",
    "concurrent.futures.process": "it starts processes; use ThreadPoolExecutor, or f.map(items) of a tool",
}
