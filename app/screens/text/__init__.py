"""A text: `screen`, then inputs, translating, table, whole."""
