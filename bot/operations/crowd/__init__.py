"""The figure of a crowd: many tables at a Discord of our own, on this machine."""
