"""Money, shares, markets and trains: what the railway titles share."""
