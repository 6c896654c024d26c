"""The whole command tree. A new command is one record in one of these groups."""

from bot.commands.act import act
from bot.commands.admin import admin
from bot.commands.auto import auto
from bot.commands.command import Group
from bot.commands.game import game
from bot.commands.me import me
from bot.commands.rules import rules
from bot.commands.stats import stats
from bot.commands.view import view


def tree() -> tuple[Group, ...]:
    """Return all groups, made from the titles on the shelf."""
    return (game(), act(), view(), rules(), auto(), me(), stats(), admin())
