"""What players decide together: asking, taking back, ending, the clock."""
