"""The table in Discord, by e-mail and at the terminal, the database, the command line."""
