"""The command line: thin commands over the floors below, and the game in plain text."""
