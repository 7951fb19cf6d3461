"""crenel: Cruel, Beleaguered Castle and their kin, played and solved exactly."""

__version__ = "0.1.0"
