"""The solver floor: exact verdicts for positions, fast. Every win is replayed through ``rules``."""
