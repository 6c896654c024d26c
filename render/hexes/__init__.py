"""Maps of hexes: tiles, track, stops, labels, runs."""
