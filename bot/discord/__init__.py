"""The bot in Discord: commands, the private desk, messages of a table, posts owed."""
