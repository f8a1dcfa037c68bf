"""Programs that log by handlers of their own, in plain CPython and in ours: they keep, hand on and write the same."""

from __future__ import annotations

import pytest

from codeact.limits import Policy
from codeact.worker.namespace import Namespace
from tests.fidelity.comparing import printed_in_folders

_BEFORE = """
import io, logging, logging.handlers, os, queue, sys
log = logging.getLogger("app")
log.setLevel(logging.DEBUG)
log.propagate = False
told = io.StringIO()
stream = logging.StreamHandler(told)
stream.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
"""

PROGRAMS = {
    "kept until an error": """
keeping = logging.handlers.MemoryHandler(10, flushLevel=logging.ERROR, target=stream)
log.addHandler(keeping)
log.info("first %d", 1), print(repr(told.getvalue()))
log.error("second"), print(repr(told.getvalue()), keeping.buffer)
log.debug("last"), keeping.close(), print(repr(told.getvalue()), keeping.target)
""",
    "kept by a class of ones own": """
class Kept(logging.handlers.BufferingHandler):
    def flush(self):
        if self.buffer: print([record.getMessage() for record in self.buffer])
        self.buffer.clear()
log.addHandler(Kept(2))
for number in range(5): log.info("%d", number)
log.handlers[0].close()
""",
    "handed on by a queue": """
handed = queue.Queue()
log.addHandler(logging.handlers.QueueHandler(handed))
log.warning("hello %s", "you")
try: 1 / 0
except ZeroDivisionError: log.error("failed %r", [1])
while not handed.empty():
    record = handed.get()
    print(record.name, record.levelname, record.msg, record.args, record.getMessage())
    stream.handle(record)
print(told.getvalue())
""",
    "files that are turned over": """
for settings in ({"maxBytes": 40, "backupCount": 2}, {"maxBytes": 40}, {}, {"maxBytes": 9, "backupCount": 1, "delay": True}):
    turning = logging.handlers.RotatingFileHandler("app.log", **settings)
    log.handlers = [turning]
    for number in range(7): log.info("message %d", number)
    turning.close()
    print({name: open(name).read() for name in sorted(os.listdir("."))})
turning = logging.handlers.RotatingFileHandler("own.log", maxBytes=20, backupCount=2)
turning.namer = lambda name: name.replace(".log", "") + ".txt"
turning.rotator = lambda source, dest: (print(os.path.basename(source), os.path.basename(dest)), os.replace(source, dest))
log.handlers = [turning]
for number in range(3): log.info("message %d", number)
turning.doRollover(), turning.close(), print(sorted(os.listdir(".")))
""",
    "handlers told apart": """
made = [stream, logging.NullHandler(), logging.FileHandler("a.log", delay=True), logging.handlers.QueueHandler(queue.Queue()),
        logging.handlers.MemoryHandler(1), logging.handlers.RotatingFileHandler("b.log")]
for one in made:
    print(type(one).__name__, [isinstance(one, cls) for cls in (logging.Handler, logging.StreamHandler, logging.FileHandler)])
print(issubclass(logging.handlers.MemoryHandler, logging.handlers.BufferingHandler))
""",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_logs_as_in_cpython(tmp_path, source):
    ours, plain = printed_in_folders(tmp_path, _BEFORE + source)
    assert ours == plain


def test_a_file_that_is_turned_over_stays_in_the_working_folder(tmp_path):
    source = """
import logging.handlers
for name in ("../out.log", "/tmp/out.log"):
    try: print(logging.handlers.RotatingFileHandler(name))
    except PermissionError: print("refused")
turning = logging.handlers.RotatingFileHandler("a.log", maxBytes=1, backupCount=1)
turning.namer = lambda name: "../moved.log"
try: turning.doRollover()
except PermissionError: print("refused")
"""
    (folder := tmp_path / "work").mkdir()
    printed: list[str] = []
    Namespace(Policy(), folder=str(folder), output=printed.append).run(source, operations=1_000_000, text_chars=100)
    assert "".join(printed).split() == ["refused"] * 3
    assert [path.name for path in tmp_path.iterdir()] == ["work"]
