"""Run the command line with ``python -m bot``."""

from bot.operations.cli import main

if __name__ == "__main__":
    main()
