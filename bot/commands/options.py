"""Variants as people type them."""

from bot.model.errors import BotError


def pairs(text: str) -> dict[str, str]:
    """Read "map=small treasuries=closed" (commas allowed); a bare name means "on".

    Raises:
        BotError: a name stands twice, or the text is too long.
    """
    if len(text) > 500:
        raise BotError("That is too long for options; write name=value, separated by blanks.")
    found: dict[str, str] = {}
    for word in text.replace(",", " ").split():
        name, _, value = word.partition("=")
        if name in found:
            raise BotError(f"The option “{name[:40]}” stands there twice.")
        found[name.lower()] = value.lower() or "on"
    return found
