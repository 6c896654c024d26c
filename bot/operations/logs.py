"""Logging: structlog, with game, user and command bound as context."""

import logging
import sys

import structlog

_LEVELS = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40}


def set_up(level: str = "INFO", *, as_json: bool = False) -> None:
    """Send the program's log to standard error, as lines or as JSON.

    Bind context with ``structlog.contextvars.bind_contextvars(game=7, user=…)``.
    """
    number = _LEVELS.get(level.upper(), logging.INFO)
    ending: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    stages: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    if as_json:
        stages.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*stages, ending],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(
        level=max(number, logging.WARNING), stream=sys.stderr, format="%(levelname)s %(name)s %(message)s"
    )
