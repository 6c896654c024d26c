"""The bot before a stand-in Discord server on loopback, and the stand-in itself."""
