"""The page of a table: its board, sharp at every size, live and at every moment; read-only."""
