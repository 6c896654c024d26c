"""The certificates of a game of 1860 on 18xx.games."""

from engine.interop.writing import Certificates
from engine.record import Event
from engine.titles.g1860.catalogue import CHARTERS
from engine.titles.g1860.events import PrivateExchanged, WentBankrupt
from engine.titles.g1860.state import Company


class Shares(Certificates):
    """The certificates of all companies; privates take some, and those of a bankrupt company go back to the IPO."""

    def __init__(self) -> None:
        super().__init__(CHARTERS, 9, Company.certificate)

    def hear(self, event: Event) -> None:
        """Follow a fact of the game."""
        super().hear(event)
        if isinstance(event, PrivateExchanged):
            self.move_bought(event.company, event.seat)
        elif isinstance(event, WentBankrupt):
            self.reset(event.company)
