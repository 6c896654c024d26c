"""What is kept: tables, seats, the log, the posts owed. SQLite through SQLModel."""
