"""Worksheet: `screen`, then sheet."""
