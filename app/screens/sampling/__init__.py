"""Sampling: `screen`, then inputs, text."""
