"""People and games: tables, seats, moves, posts owed. Nothing of Discord, terminals or pixels."""
