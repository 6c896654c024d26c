"""What a player of Steel Driver can say."""

from engine.record import Action


class Open(Action, frozen=True, tag="open"):
    """Bid cubes: put a company up for auction, or raise the high bid."""

    verb = "bid"
    helps = {"company": "Which company to put up; leave it out when you raise", "amount": "The whole bid in cubes"}
    company: str
    amount: int


class Raise(Action, frozen=True, tag="raise"):
    """Bid cubes: put a company up for auction, or raise the high bid."""

    verb = "bid"
    helps = {"amount": "The whole bid in cubes"}
    amount: int


class Pass(Action, frozen=True, tag="pass"):
    """Drop out of the auction, or pass the Active Player marker on."""

    verb = "pass"


class Build(Action, frozen=True, tag="build"):
    """Build one link of track with the company whose turn it is."""

    verb = "build"
    helps = {"route": "From which place to which; the second one scores"}
    command = {"route": ("origin", "destination")}
    origin: str
    destination: str


class Claim(Action, frozen=True, tag="cube"):
    """Claim a goods cube for the company whose turn it is."""

    verb = "cube"
    helps = {"place": "The place whose cube the company takes"}
    place: str


class EndGame(Action, frozen=True, tag="end"):
    """End the game by agreement of the table; the cash stands as it is."""

    verb = ""


ACTIONS: tuple[type[Action], ...] = (Open, Raise, Pass, Build, Claim, EndGame)
