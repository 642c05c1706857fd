"""Translate: `screen`, `asking`, `answer`, `changes`."""
