"""How a person who pressed or typed something is answered, whatever the front."""

from collections.abc import Sequence
from typing import Protocol

from bot.model.records import Person
from bot.screens.screen import Form, Screen
from bot.service.services import Services


class Answer(Protocol):
    """One press, choice, form or command of a person, and the ways to answer it.

    What leads to a handler acknowledges first; drawing, searching and reading the database come after.
    """

    services: Services

    @property
    def key(self) -> str:
        """The id of the delivery; the same one may come twice."""

    @property
    def user(self) -> str:
        """The id of the person."""

    @property
    def person(self) -> Person:
        """The person, with the name others see."""

    @property
    def guild(self) -> str:
        """The id of the server it was done in; empty in a direct message."""

    @property
    def roles(self) -> Sequence[str]:
        """The ids of the roles that the person has on the server."""

    @property
    def channels(self) -> tuple[str, str]:
        """The ids of the channel where a table opened here lives, and of the one it belongs to, which may be the same.

        Raises:
            BotError: no further table can live here.
        """

    @property
    def clicked_text(self) -> str:
        """The words of the message that was clicked, empty if none was."""

    @property
    def values(self) -> Sequence[str]:
        """What was chosen in a menu or typed into a form."""

    @property
    def people(self) -> Sequence[Person]:
        """The people who were chosen in a menu, with the names others see."""

    async def acknowledge(self, *, private: bool = True) -> None:
        """Let the front show that work has begun; a second call does nothing."""

    async def show(self, screen: Screen) -> None:
        """Show a screen in place of the acknowledgement or of the clicked private message."""

    async def dismiss(self) -> None:
        """Take the acknowledgement away again: the table itself says what is to be said."""

    async def send_file(self, name: str, data: bytes, text: str) -> None:
        """Answer with a file and words about it."""

    async def open_form(self, form: Form) -> None:
        """Open a form; it must be the first answer."""

    async def send_text(self, text: str) -> None:
        """Send a private sentence, and leave the clicked message as it is."""

    def refuse_missing_permissions(self, channel: str = "") -> None:
        """Refuse to play where the table could not be posted: here, or in another channel.

        Raises:
            BotError: names the place and every permission that is missing.
        """

    def describe_missing_permissions(self) -> str:
        """Return a sentence about what the front may not do here; empty if it may do all it needs."""
