"""The commands, each defined once and reached from Discord and from the terminal."""
