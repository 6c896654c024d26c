"""The ledger of sentences: each sentence of each printed rulebook, and what holds it.

``cutting`` cuts the books, which lie beside the repository or not at all; the files of rows have what we say of each
sentence, without its words; ``python -m tests.ledger`` lists what has no row and writes the summary in ``docs/``.
"""
