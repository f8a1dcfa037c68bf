"""`logging.handlers` of one session: those that keep records, hand them on, or turn over files of the folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codeact.snippet import types_
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.words import words


def log_handlers(room: Room) -> dict[str, Any]:
    """The replaced names of logging.handlers."""
    from logging import handlers  # which brings sockets: for those alone who ask for them

    logs = vars(room.facades.import_module("logging"))
    kept: Any = logs["Handler"]

    def move(source: Any, dest: Any) -> None:
        files = vars(room.facades.import_module("os"))
        if files["path"].exists(source):
            files["replace"](source, dest)

    class BufferingHandler(kept, handlers.BufferingHandler):  # type: ignore[misc]  # one for each session
        pass

    class MemoryHandler(BufferingHandler, handlers.MemoryHandler):
        pass

    class QueueHandler(kept, handlers.QueueHandler):  # type: ignore[misc]  # the same
        pass

    made = [BufferingHandler, MemoryHandler, QueueHandler, _rotating(move, logs["FileHandler"])]
    for cls in made:
        types_.hide(cls, getattr(handlers, cls.__name__))
    return {cls.__name__: cls for cls in made}


def _rotating(move: Callable[[Any, Any], None], FileHandler: Any) -> Any:
    class RotatingFileHandler(FileHandler):  # type: ignore[misc]  # each session has its own
        namer: Any = None
        rotator: Any = None
        stream: Any

        def __init__(
            self, filename: Any, mode: str = "a", maxBytes: int = 0, backupCount: int = 0, *opened: Any, **settings: Any
        ) -> None:
            super().__init__(filename, "a" if maxBytes > 0 else mode, *opened, **settings)
            self.maxBytes, self.backupCount = maxBytes, backupCount

        def rotation_filename(self, default_name: str) -> Any:
            return self.namer(default_name) if callable(self.namer) else default_name

        def rotate(self, source: Any, dest: Any) -> None:
            (self.rotator if callable(self.rotator) else move)(source, dest)

        def shouldRollover(self, record: Any) -> bool:  # its name in logging
            if self.stream is None:
                self.stream = self._open()
            if self.maxBytes <= 0:
                return False
            self.stream.seek(0, 2)
            return bool(self.stream.tell() + len(f"{self.format(record)}\n") >= self.maxBytes)

        def doRollover(self) -> None:  # its name in logging
            self.stream.close()
            self.stream = None
            names = [self.rotation_filename(f"{self.baseFilename}.{at}") for at in range(1, self.backupCount + 1)]
            for older, newer in reversed([*zip(names[1:], names[:-1], strict=True)]):
                move(newer, older)
            if names:
                self.rotate(self.baseFilename, names[0])
            if not self.delay:
                self.stream = self._open()

        def emit(self, record: Any) -> None:
            try:
                if self.shouldRollover(record):
                    self.doRollover()
            except Exception:
                self.handleError(record)
            else:
                super().emit(record)

    return RotatingFileHandler


_LOG_SENDERS = """
DatagramHandler HTTPHandler NTEventLogHandler SMTPHandler SocketHandler SysLogHandler
"""

ROWS = (
    Module(
        "logging.handlers",
        "keep messages, hand them on, or write files of the working folder",
        withheld={
            **dict.fromkeys(words(_LOG_SENDERS), "it reaches the network or this machine; use FileHandler"),
            **dict.fromkeys(words("BaseRotatingHandler TimedRotatingFileHandler"), "use RotatingFileHandler"),
            "WatchedFileHandler": "use FileHandler",
            "QueueListener": "let a thread of your own take from the queue",
        },
        replaced={
            **dict.fromkeys(words("BufferingHandler MemoryHandler QueueHandler"), "of this session alone"),
            "RotatingFileHandler": "turns over files of the working folder",
        },
        build=log_handlers,
    ),
)
