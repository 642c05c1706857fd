"""The attention that would say it: `screen`, then inputs, text."""
