"""The steps of a turn, one module for each section of the rules."""
