"""Attention search: `screen`, then inputs, text."""
