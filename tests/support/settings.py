"""Settings of a test: the ``.env`` of whoever runs it is not read."""

from bot.operations.settings import Settings


class BareSettings(Settings, env_file=None):
    """Settings as they are without a file; several bots at once would want the same port for their metrics."""

    metrics_listen: str = "off"
