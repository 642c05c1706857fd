"""A text: `screen`, then table, whole."""
