"""Bring your own model: `screen`, then upload, text."""
