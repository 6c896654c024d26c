"""The fault bench: a bot that is killed again and again while everything around it fails, and what its channels say."""
