"""Translate: `screen`, `head_table` of a Transformer, and in `what_if/` what may be changed."""
