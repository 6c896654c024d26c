"""1860: games to and from 18xx.games, and its profile."""
