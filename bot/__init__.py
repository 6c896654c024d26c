"""The table in Discord and in the terminal, the store, the command line."""
