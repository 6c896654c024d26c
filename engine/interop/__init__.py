"""Logs that travel: games of 18xx.games in and out, traces of a replay; and its profile of each title."""
