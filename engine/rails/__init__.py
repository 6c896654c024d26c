"""Hexes, tiles, track and routes: what the railway titles share."""
