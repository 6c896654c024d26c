"""Games compared with the public engine of 18xx.games, where that is at hand."""
