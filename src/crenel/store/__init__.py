"""What must survive: players, their games and every move, in SQLite or PostgreSQL."""
