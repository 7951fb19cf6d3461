"""The table in the browser: pages, the live connection and the workers that look for wins."""
