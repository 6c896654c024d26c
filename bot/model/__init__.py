"""What people and tables are made of: records, posts, letters, terms, errors; knows no store and no service."""
