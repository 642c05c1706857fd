"""Sampling: `screen`, then settings."""
