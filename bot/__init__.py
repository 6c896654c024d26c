"""The table in Discord, by e-mail and at the terminal, the store, the command line."""
