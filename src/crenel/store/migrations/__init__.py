"""The steps that bring a database of any version to the newest; :mod:`crenel.store.database` runs them.

A new step is a file in ``versions`` and its name at the end of :data:`REVISIONS`. A step that was released is never
changed, and none leads back: an older program refuses a newer database. Steps run in one transaction, so a step that
fails leaves the database as it was.
"""

from __future__ import annotations

REVISIONS: tuple[str, ...] = ("0001",)
"""All versions of the database, oldest first; a test compares them with the files in ``versions``."""
