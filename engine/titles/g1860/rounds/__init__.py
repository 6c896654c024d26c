"""The course of the game: whose turn it is, which step, what needs no decision."""
