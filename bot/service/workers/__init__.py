"""Worker processes: what takes more than a few milliseconds is worked out beside the event loop."""
