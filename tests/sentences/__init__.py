"""Every sentence that a player, host or operator can read, and the kinds of English we do not write."""
