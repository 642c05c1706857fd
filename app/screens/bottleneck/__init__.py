"""Bottleneck: `screen`, then sentence_builder. Directly in `app` this name would hide a library that pandas uses."""
