"""Sheets, markets, charts and cards: pictures of words and numbers."""
