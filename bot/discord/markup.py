"""Plain words and the marks of the service in Discord's Markdown."""

import re

from bot.model.plain import turned

_FORMATTING = re.compile(r"[*~|`<@\[\\]|(?<!\w)_|_(?!\w)|^[#>-]", re.MULTILINE)


def marked(text: str) -> str:
    """Return text with commands bold and threads as links."""
    return turned(text, lambda command: f"**{command}**", lambda thread: f"<#{thread}>")


def spoken(sentence: str) -> str:
    """Return a plain sentence so that Discord shows it letter by letter: nothing formatted, linked or rung."""
    return _FORMATTING.sub(lambda found: f"\\{found[0]}", sentence).replace("://", ":\u200b//")
