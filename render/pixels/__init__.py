"""Scenes to pixels: shapes first, letters over them."""
