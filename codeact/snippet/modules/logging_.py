"""`logging` over loggers of one session alone, written to the output of the step."""

from __future__ import annotations

import itertools
import logging
import operator
import sys
import threading
from collections.abc import Iterator
from typing import Any

from codeact.snippet import attributes, formatting, ownership, running, types_
from codeact.snippet.endings import Refused
from codeact.snippet.modules import waits
from codeact.snippet.modules.log_settings import set_up
from codeact.snippet.modules.printing import Output
from codeact.snippet.modules.row import Room
from codeact.snippet.modules.traced import calls_told, is_exception, lines_of
from codeact.snippet.patches import patch
from codeact.snippet.traces import snippets_frames

_LEVELS = ("debug", "info", "warning", "error", "exception", "critical", "log")


def _close_handlers(loggers: list[Any]) -> None:
    named = [each for each in loggers if isinstance(each, logging.Logger)]
    for handler in dict.fromkeys(each for one in named for each in one.handlers):
        handler.flush()
        handler.close()


def logs(room: Room) -> dict[str, Any]:
    """The replaced names of logging."""
    formatter = _formatter()
    handlers, last_resort = _handlers(room, formatter())
    logger, root_logger = _loggers(room, last_resort)
    root = root_logger(logging.WARNING)
    logger.root, logger.manager = root, _manager(root, logger)

    def getLogger(name: Any = None) -> Any:  # its name in logging
        return root if not name or name == "root" else logger.manager.getLogger(name)

    def basicConfig(**settings: Any) -> None:  # its name in logging
        if not root.handlers or settings.get("force"):
            root.handlers.clear()
            set_up(root, handlers, formatter, settings)

    def through_root(level: str) -> Any:
        def write(*arguments: Any, **settings: Any) -> None:
            basicConfig()
            getattr(root, level)(*arguments, **settings)

        write.__name__ = write.__qualname__ = level
        return write

    def disable(level: int = logging.CRITICAL) -> None:
        logger.manager.disable = level
        logger.manager._clear_cache()

    def shutdown() -> None:
        _close_handlers([root, *logger.manager.loggerDict.values()])

    return {
        **{level: through_root(level) for level in _LEVELS},
        "warn": through_root("warning"),
        "fatal": through_root("critical"),
        "getLogger": getLogger,
        "basicConfig": basicConfig,
        "disable": disable,
        "getLoggerClass": lambda: logger.manager.loggerClass,
        "setLoggerClass": logger.manager.setLoggerClass,
        "shutdown": shutdown,
        "addLevelName": addLevelName,
        "makeLogRecord": makeLogRecord,
        "Formatter": formatter,
        **handlers,
        "Logger": logger,
        "RootLogger": root_logger,
        "LoggerAdapter": _adapter(),
        "root": root,
    }


def addLevelName(level: int, levelName: str) -> None:  # its name in logging
    logging.addLevelName(operator.index(level), str.__str__(levelName))  # they are kept between the steps


def makeLogRecord(dict: Any) -> Any:  # its names in logging
    record = logging.LogRecord(None, None, "", 0, "", (), None, None)  # type: ignore[arg-type]  # as logging does
    for name, value in {**dict}.items():
        attributes.put(record, name, value)
    return record


def _by_the_rules(real: Any) -> Any:
    """What a style of `{}` makes of a record: a class built on a formatter has its style, and may give it any text."""

    def _format(self: Any, record: Any) -> Any:
        if not running.in_a_snippet():
            return real(self, record)
        text, beside = self._fmt, self._defaults or {}
        return formatting.str_format(text, **{**beside, **record.__dict__})

    return _format


def _formatter() -> Any:
    patch(logging.StrFormatStyle, "_format", _by_the_rules)

    class Formatter(logging.Formatter):
        of_one_session = True

        def __init__(self, fmt: Any = None, datefmt: Any = None, style: Any = "%", *more: Any, **settings: Any) -> None:
            if (kind := type(style)) is not str:
                raise TypeError(f"style is one of '%', '{{' and '$', not {kind.__name__!r}")
            fmt = str.__str__(fmt) if isinstance(fmt, str) else fmt
            if style == "{" and fmt is not None:
                formatting.check(str.__str__(fmt))
            if settings.get("defaults") is not None:
                settings["defaults"] = dict(settings["defaults"])  # one of its own would be handed a record's
            super().__init__(fmt, datefmt, style, *more, **settings)

        def formatMessage(self, record: Any) -> str:  # its name in logging
            line = ownership.mro_of(type(record))
            if logging.LogRecord not in line and not ownership.is_own_class(type(record)):
                raise TypeError(f"a record is needed, not {type(record).__name__!r}")
            return super().formatMessage(record)

        def formatException(self, ei: Any) -> str:  # its name in logging
            return "".join(lines_of(ei[1])).removesuffix("\n") if is_exception(ei[1]) else "NoneType: None"

        def formatStack(self, stack_info: Any) -> str:  # its name in logging
            return ""

    types_.hide(Formatter, logging.Formatter)
    return Formatter


class _OfOneSession:
    """What a handler of a session does otherwise: the process knows nothing of it and calls nothing when it ends."""

    of_one_session = True
    name = property(lambda self: self._own_name, lambda self, name: self.set_name(name))
    _own_name: Any = None

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        for noted in [noted for noted in logging._handlerList if noted() is self]:  # type: ignore[attr-defined]  # typeshed hides it
            logging._removeHandlerRef(noted)  # type: ignore[attr-defined]  # the same

    def createLock(self) -> None:  # its name in logging
        vars(self)["lock"] = threading.RLock()  # the process does not renew it when it forks

    def set_name(self, name: Any) -> None:
        self._own_name = name


def _handlers(room: Room, plain: logging.Formatter) -> tuple[dict[str, Any], logging.Handler]:
    """The handlers by their names, and the one of last resort."""
    output = Output(room, "stderr")

    class Handler(_OfOneSession, logging.Handler):
        def format(self, record: Any) -> str:
            return str((self.formatter or plain).format(record))

        def handleError(self, record: Any) -> None:  # its name in logging, which calls it while an error is handled
            if isinstance(error := sys.exception(), Refused):
                raise error
            for part in _error_told(error, record):
                output.write(part)

    class StreamHandler(Handler, logging.StreamHandler):  # type: ignore[type-arg]  # not generic when it runs
        def __init__(self, stream: Any = None) -> None:
            super().__init__(room.current("stderr") if stream is None else stream)

    FileHandler = _file_handler(room, StreamHandler)

    class NullHandler(Handler, logging.NullHandler):
        pass

    class _StderrHandler(Handler, logging.StreamHandler):  # type: ignore[type-arg]  # not generic when it runs
        stream = property(lambda self: room.current("stderr"), lambda self, stream: None)

    made = (Handler, StreamHandler, FileHandler, NullHandler, _StderrHandler)
    for cls in made:
        types_.hide(cls, getattr(logging, cls.__name__))
    last_resort = _StderrHandler()
    last_resort.setLevel(logging.WARNING)
    return {cls.__name__: cls for cls in made[:-1]}, last_resort


def _file_handler(room: Room, StreamHandler: Any) -> Any:
    class FileHandler(StreamHandler):  # type: ignore[misc]  # each session has its own
        def __init__(
            self, filename: Any, mode: str = "a", encoding: Any = None, delay: bool = False, errors: Any = None
        ) -> None:
            super().__init__(None if delay else room.folder.open(filename, mode, encoding=encoding, errors=errors))
            self.mode, self.encoding, self.delay, self.errors = mode, encoding, delay, errors
            self.baseFilename = vars(room.facades.import_module("os.path"))["abspath"](filename)
            self._closed = False
            if delay:
                self.stream: Any = None

        def _open(self) -> Any:
            return room.folder.open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors)

        def emit(self, record: Any) -> None:
            if self.stream is None and (self.mode != "w" or not self._closed):
                self.stream = self._open()
            if self.stream is not None:
                super().emit(record)

        def close(self) -> None:
            stream, self.stream, self._closed = self.stream, None, True
            if stream is not None:
                stream.close()

    return FileHandler


def _error_told(error: Any, record: Any) -> Iterator[str]:
    """What CPython writes of an error in a handler, with the frames of snippets alone."""
    yield "--- Logging error ---\n"
    yield from lines_of(error)
    yield "Call stack:\n"
    yield from calls_told()
    try:
        said = f"Message: {record.msg!r}\nArguments: {record.args}\n"
    except Exception:  # logging does the same
        said = (
            "Unable to print the message and arguments - possible formatting error.\n"
            "Use the traceback above to help find the error.\n"
        )
    yield said


def _loggers(room: Room, last_resort: logging.Handler) -> tuple[Any, Any]:
    """The class of loggers, and that of the root."""

    class Logger(logging.Logger):
        of_one_session = True

        def findCaller(self, stack_info: bool = False, stacklevel: int = 1) -> Any:  # its name in logging
            frame = next(itertools.islice(snippets_frames(sys._getframe(1)), max(stacklevel, 1) - 1, None), None)
            line, name = (0, "<module>") if frame is None else (frame.f_lineno, frame.f_code.co_name)
            return "<snippet>", line, name, None

        def makeRecord(self, *arguments: Any, **settings: Any) -> logging.LogRecord:  # its name in logging
            record = super().makeRecord(*arguments, **settings)
            if (thread := waits.current(room)) is not None:
                record.thread, record.threadName = thread.ident, thread.name
            return record

        def callHandlers(self, record: Any) -> None:  # its name in logging
            if self.hasHandlers():
                super().callHandlers(record)
            elif record.levelno >= last_resort.level:
                last_resort.handle(record)

        def __copy__(self) -> Any:  # it would ask the process for the logger of its name, which would then have one
            return self

        def __deepcopy__(self, memo: Any) -> Any:
            return self

    class RootLogger(Logger):
        def __init__(self, level: Any) -> None:
            super().__init__("root", level)

    for cls in (Logger, RootLogger):
        types_.hide(cls, getattr(logging, cls.__name__))
    return Logger, RootLogger


def _manager(root: logging.Logger, logger: type[logging.Logger]) -> Any:
    class Manager(logging.Manager):
        def __init__(self, rootnode: Any) -> None:
            super().__init__(rootnode)
            self.loggerClass = logger  # without one it makes loggers of the process

        def __init_subclass__(cls, **settings: Any) -> None:
            raise TypeError(f"class {cls.__name__!r} may not inherit from Manager: let it have one")

        def setLoggerClass(self, klass: Any) -> None:  # its name in logging
            if not ownership.is_class(klass) or logger not in ownership.mro_of(klass):
                raise TypeError("logger not derived from logging.Logger: " + getattr(klass, "__name__", repr(klass)))
            self.loggerClass = klass

    types_.hide(Manager, logging.Manager)
    return Manager(root)


def _adapter() -> Any:
    class LoggerAdapter(logging.LoggerAdapter):  # type: ignore[type-arg]  # not generic when it runs
        manager = property(lambda self: self.logger.manager)  # not to be set: its logger may be any object

    types_.hide(LoggerAdapter, logging.LoggerAdapter)
    return LoggerAdapter
