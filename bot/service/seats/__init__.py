"""Who sits where: who holds a seat, who or what acts for it, when its holder is called, and what is kept for them."""
