"""What people wish for themselves, where they are reached, and what is known of them."""
