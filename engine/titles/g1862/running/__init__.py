"""Running trains: which runs are legal, what they earn, and the best there is."""
