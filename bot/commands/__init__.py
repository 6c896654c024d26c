"""The commands, each defined once and reached from Discord and from the terminal; a new one is a record in a group."""

from bot.commands.act import build_act
from bot.commands.admin import build_admin
from bot.commands.auto import build_auto
from bot.commands.command import Group
from bot.commands.game import build_game
from bot.commands.league import build_league
from bot.commands.learn import build_learn
from bot.commands.me import build_me
from bot.commands.rules import build_rules
from bot.commands.stats import build_stats
from bot.commands.view import build_view


def build_tree() -> tuple[Group, ...]:
    """Return all groups, made from the titles."""
    return (
        build_game(),
        build_act(),
        build_view(),
        build_rules(),
        build_learn(),
        build_auto(),
        build_me(),
        build_stats(),
        build_league(),
        build_admin(),
    )
