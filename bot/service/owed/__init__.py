"""What a table owes to its channel and to people: posts and letters, and what became of them."""
