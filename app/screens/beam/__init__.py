"""Beam search: `screen`, then text, download."""
