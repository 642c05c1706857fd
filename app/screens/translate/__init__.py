"""Translate: `screen`, `answer`, `parts`, `memory_share`, `downloads`, `study`, `head_table`; `what_if/` for changes."""
