"""The tests of crenel; a package, so that they can share helpers."""
