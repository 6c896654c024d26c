"""In what a title counts: its currency, and how much of a company one share is."""

from engine.record import Record


class Units(Record, frozen=True):
    """The currency and the share of a title, and how both are written.

    Args:
        currency: stands before an amount: "£", "$".
        share: percent of a company that one share is: 10 where a company has ten, 20 where it has five.
    """

    currency: str
    share: int

    def money(self, amount: int) -> str:
        """Return an amount of money: "£40"."""
        return f"{self.currency}{amount}"

    def percent(self, shares: int) -> str:
        """Return shares of one company: "30 %"."""
        return f"{shares * self.share} %"

    def move(self, before: int, after: int) -> str:
        """Return where a share price goes: "£54→£58", "stays £54"."""
        return f"stays {self.money(before)}" if before == after else f"{self.money(before)}→{self.money(after)}"
