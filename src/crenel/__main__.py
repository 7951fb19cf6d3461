"""Lets ``python -m crenel`` do what the command ``crenel`` does."""

import sys

from crenel.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
