"""What those who run a server decide and do, and what is done once for all tables."""
