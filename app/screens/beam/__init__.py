"""Beam search: `screen`, then text."""
