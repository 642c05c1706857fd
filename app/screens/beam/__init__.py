"""Beam search: `screen`, then edits, text, download."""
