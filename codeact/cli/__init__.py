"""The command line: `codeact --help` says what there is."""

TYPE_CHECKING = False  # type checkers take it for `typing`'s

if TYPE_CHECKING:
    import signal
    from typing import NoReturn
else:
    import _signal as signal  # alone, as Ctrl-C that meets an import here is shown as Python's traceback

__all__ = ["main"]


class EndedByCtrlC:
    """Let Ctrl-C end the process at once, where nothing has begun yet: Python loses some of those met in an import."""

    def __enter__(self) -> None:
        self._ours = end_by_ctrl_c()

    def __exit__(self, *error: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def end_by_ctrl_c() -> bool:
    """Let Ctrl-C end the process at once from here on, unless it is ignored; whether that is something new."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return ours


def main() -> "NoReturn":
    """Run the command line and leave with its exit code; Ctrl-C is heard while it is still being imported."""
    with EndedByCtrlC():
        from codeact.cli import app
    app.main()
