"""The numbered paragraphs of the rules, as our tests and refusals cite them."""


def _sections(*lengths: int) -> list[str]:
    return [f"{chapter}.{number}" for chapter, last in enumerate(lengths, 1) for number in range(1, last + 1)]


G1860 = _sections(6, 8, 9, 16, 5, 37, 8, 6, 9, 5, 5, 13)
"""How many paragraphs each section of 1860 has, from set-up (1) to the optional rules (12)."""

G1862 = _sections(5, 2, 6, 4, 7, 6, 3, 2, 5, 2, 7, 2, 8, 7, 12, 4, 5, 4, 2, 1, 1, 4, 5)
"""The same of 1862, from set-up (1) to the variants (23)."""

SITUATIONS = {
    "g1860": [f"60-{number}" for number in range(1, 33)],
    "g1862": [*(f"62-{number}" for number in range(1, 43)), "62-31b"],
    "steel_driver": [f"SD-{number}" for number in range(1, 27)],
}
"""Situations that players disputed."""

DIFFERENCES_1862 = [*range(1, 17), *range(20, 31), *range(40, 48)]
"""Where 18xx.games plays 1862 otherwise than the rulebook: what changes the state (1-), what is looser (20-), stricter
(40-)."""
