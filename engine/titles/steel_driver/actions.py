"""What a player of Steel Driver can say."""

from engine.finance.rounds import EndGame, Pass
from engine.record import Action


class Open(Action, frozen=True, tag="open"):
    """Bid cubes: put a company up for auction, or raise the high bid."""

    verb = "bid"
    brief = "bid"
    helps = {"company": "The company to put up; leave it out to raise", "amount": "Your total bid in cubes"}
    asks = {"company": "Which company do you put up?", "amount": "How many cubes do you bid?"}
    company: str
    amount: int


class Raise(Action, frozen=True, tag="raise"):
    """Bid cubes: put a company up for auction, or raise the high bid."""

    verb = "bid"
    brief = "raise the bid"
    helps = {"amount": "Your total bid in cubes"}
    asks = {"amount": "How many cubes do you bid?"}
    amount: int


class Build(Action, frozen=True, tag="build"):
    """Build one link of track with the company whose turn it is."""

    verb = "build"
    brief = "build a link"
    helps = {"route": "The two places; the second one scores"}
    asks = {"route": "Which link? It scores where it arrives."}
    command = {"route": ("origin", "destination")}
    origin: str
    destination: str


class Claim(Action, frozen=True, tag="cube"):
    """Claim a goods cube for the company whose turn it is."""

    verb = "cube"
    brief = "claim a cube"
    helps = {"place": "The place whose cube the company takes"}
    asks = {"place": "Where do you claim the cube?"}
    place: str


ACTIONS: tuple[type[Action], ...] = (Open, Raise, Pass, Build, Claim, EndGame)
