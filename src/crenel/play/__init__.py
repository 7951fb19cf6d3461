"""The play floor: one game at the table, with no input or output of its own."""
