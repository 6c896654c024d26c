"""The numbered paragraphs of the rules, as our tests and refusals cite them."""


def _span(chapter: int, last: int) -> list[str]:
    return [f"{chapter}.{paragraph}" for paragraph in range(1, last + 1)]


G1860 = [
    section
    for chapter, last in enumerate((6, 8, 9, 16, 5, 37, 8, 6, 9, 5, 5, 13), 1)
    for section in _span(chapter, last)
]
"""How many paragraphs each section of 1860 has, from set-up (1) to the optional rules (12)."""

SITUATIONS = [f"60-{number}" for number in range(1, 31)]
"""Situations that players of 1860 disputed."""
