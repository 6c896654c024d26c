"""The local table: the same commands at a terminal."""
