"""Translate: `screen`, `answer`, `changes`, `parts`, `study`."""
