"""Damage done by hand to a table's posts, and whether people see it healed within five minutes."""
