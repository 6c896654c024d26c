"""The pages of tables: what they answer, what they keep secret, and how they are used in a real browser."""
