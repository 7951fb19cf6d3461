"""The rules floor: every game exactly, with the standard library only. The only authority on what is legal."""
