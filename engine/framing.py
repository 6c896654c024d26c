"""What all pictures have about them: a banner that says what they are, and what their title has of its own."""

import msgspec

from engine.record import Record

MOST_ALT = 1024
"""Letters of a picture's words for who cannot see it: what a front can take."""


class Banner(Record, frozen=True):
    """What stands above a picture, so that a stranger knows what it shows.

    Args:
        game: name of the game; table: name of the table, empty where there is none.
        asks: what the game waits for: "S&C operates (OR 4.1, 3rd of 6)"; company: that acts, empty for a player.
        who: the players who act.
        leads: who is ahead: "Alice ahead"; empty where nobody is, or where the picture says so itself.
    """

    game: str
    table: str = ""
    asks: str = ""
    company: str = ""
    who: str = ""
    leads: str = ""


class Identity(Record, frozen=True):
    """What a title's pictures have of their own: suggestions, as the colours of companies are.

    Args:
        face: of its name and of areas: "fatface", "slab" or "woodtype"; empty for none of its own.
        place: name of the land that its board shows, in lines.
        colours: ``#rrggbb`` by what it is the colour of: "paper", "sea", "land", "head", …
    """

    face: str = ""
    colours: tuple[tuple[str, str], ...] = ()
    place: tuple[str, ...] = ()


class Framed(msgspec.Struct, frozen=True, kw_only=True):
    """What all views have about them.

    Args:
        headline: of a result, told first: "ECR ran for £1270".
        banner: what stands above the picture; ``None`` where its title is enough.
        identity: of the title it is from.
    """

    headline: str = ""
    banner: Banner | None = None
    identity: Identity = Identity()
