"""A text: `screen`, then inputs, translating, table, sentence, whole, downloads."""
