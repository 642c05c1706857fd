"""Translate: `screen`, and in `what_if/` what may be changed."""
