"""The tests of Stationmaster."""
