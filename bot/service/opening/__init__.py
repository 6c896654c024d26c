"""Before the start: a table is wished for, opened, joined and begun."""
