"""What people wish for themselves, how they are called, and what is known of them."""
