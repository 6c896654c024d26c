"""Maps of places and links: where everything stands, who built what."""
