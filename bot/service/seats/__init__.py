"""Who sits where: who holds a seat, who acts for it, and the program's player."""
