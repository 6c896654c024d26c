"""The players of 0.2 as they were, kept to be beaten; they are never improved."""
