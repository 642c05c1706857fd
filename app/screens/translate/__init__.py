"""Translate: `screen`, `answer`, `memory_share`, `head_table` of a Transformer, in `what_if/` a person's changes."""
