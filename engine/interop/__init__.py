"""Logs that travel: games of 18xx.games in and out, traces of a replay."""

from engine.interop.exchange import Imported, export_game, import_log

__all__ = ["Imported", "export_game", "import_log"]
