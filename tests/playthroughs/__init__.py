"""Whole games of our own, kept with a digest of the state after every action, so that no rule changes unseen.

Each game is a file in ``games/``: its set-up, its log, the digests, and of
some games every twentieth state in full. ``python -m tests.playthroughs``
plays again what no longer replays and writes the digests anew; the diff of
``games/index.txt`` then shows which games changed from which action on, and
the commit says why.
"""
