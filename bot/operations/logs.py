"""Logging: structlog, with game, user and command bound as context."""

import contextlib
import logging
import re
import sys
import threading
import traceback
from collections.abc import MutableMapping
from types import TracebackType

import structlog

MAX_FRAMES = 12
MAX_LINES = 60
MAX_LINE_LETTERS = 300
_LOCAL_PART = re.compile(r"(?<![\w.+=-])[\w.+=-]++(?=@[\w-]++(?:\.[\w-]++)+)")
"""Of an e-mail address: what stands before the @. It looks at each letter once: errors repeat what strangers send."""
_LEVELS = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40}


def set_up(level: str = "INFO", *, as_json: bool = False) -> None:
    """Send the program's log to standard error, as lines or as JSON; what libraries log, and warnings, too.

    Bind context with ``structlog.contextvars.bind_contextvars(game=7, user=…)``.
    """
    number = _LEVELS[level]
    ending: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    stages: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        _add_trace,
        _hide_people,
    ]
    structlog.configure(
        processors=[*stages, ending],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: _Log(sys.stderr),
        cache_logger_on_first_use=False,
    )
    named: list[structlog.typing.Processor] = [structlog.stdlib.add_logger_name] if as_json else []
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*stages, *named],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, ending],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler])


def log_crashes() -> None:
    """Log warnings, and what ends the program or a thread of it, as everything else is logged."""
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_crash
    threading.excepthook = lambda crash: _log_crash(crash.exc_type, crash.exc_value, crash.exc_traceback)


def _log_crash(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """Log what ends the program or a thread of it, as everything else is logged."""
    if error is None or issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error or kind(), trace)
        return
    structlog.get_logger(__name__).critical("an error ended the program", exc_info=error)


class _Log(structlog.PrintLogger):
    """Prints what it can: where the log lies on a full disk, or its reader is gone, the bot goes on without it."""

    def msg(self, message: str) -> None:
        """Print a message, if it can be printed."""
        with contextlib.suppress(OSError, ValueError):
            super().msg(message)

    log = debug = info = warn = warning = fatal = failure = err = error = critical = exception = msg


def format_trace(error: BaseException) -> str:
    """Return how an error came about: the last frames of each cause, no local variables, at most ``MAX_LINES``.

    Locals hold whole games, their seeds too, and took seconds to print.
    """
    lines = "".join(traceback.format_exception(error, limit=-MAX_FRAMES)).splitlines()
    if len(lines) > MAX_LINES:
        half = MAX_LINES // 2
        lines = [*lines[: half - 1], f"… {len(lines) - MAX_LINES + 1} lines …", *lines[-half:]]
    return "\n".join(line if len(line) <= MAX_LINE_LETTERS else f"{line[: MAX_LINE_LETTERS - 1]}…" for line in lines)


def _add_trace(logger: object, method: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Put the trace of an error in the place of the error."""
    del logger, method
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    elif isinstance(error, tuple):  # as libraries log it
        error = error[1]
    if isinstance(error, BaseException):
        event["exception"] = format_trace(error)
    return event


def _hide_people(logger: object, method: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Leave of each address only where its mail goes: mail servers repeat addresses when they refuse a letter."""
    del logger, method
    for name, value in event.items():
        event[name] = _LOCAL_PART.sub("***", value) if isinstance(value, str) else value
    return event
