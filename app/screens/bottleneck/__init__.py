"""Bottleneck: `screen`. Directly in `app` this name would hide a library that pandas uses."""
