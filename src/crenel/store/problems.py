"""What can go wrong with the store, each as an error whose message is one sentence for a person."""

from __future__ import annotations


class StoreProblem(Exception):
    """Something went wrong with the store; the message says what."""


class InvalidDatabase(StoreProblem, ValueError):
    """A database that cannot be opened: a wrong URL, a missing driver, no server, a newer version."""


class DatabaseFailed(StoreProblem):
    """The database failed in the middle of work; what was asked may be asked again when it is back."""


class Conflict(StoreProblem):
    """The game was changed or deleted by another tab or process since it was loaded; nothing was saved."""


class Overloaded(StoreProblem):
    """More changes wait than the store takes; this one was not made and may be asked again."""


class StoreClosed(StoreProblem):
    """The store was closed; the change was not made."""
