"""The rules of 1862 in our own words, by section, for ``/rules``."""

HELP: tuple[tuple[str, str, str], ...] = ()
