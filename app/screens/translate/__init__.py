"""Translate: `screen`, `answer`, `parts`, `memory_share`, `downloads`, `study`, `head_table`; changes in `what_if/`."""
