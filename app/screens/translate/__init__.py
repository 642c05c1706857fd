"""Translate: `screen`, `answer`, `changes`, `parts`, `memory_share`, `downloads`, `study`, `head_table`."""
