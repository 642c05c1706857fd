"""Translate: `screen`, `head_table` for a Transformer, and in `what_if/` a person's changes."""
