"""Translate: `screen`, `asking`, `answer`, `changes`, `parts`, `study`."""
