"""Parallel text: read, checked, divided and cut into batches; `stories/` has the hand-aligned ones.

Reading order: corpus, validation, provenance.
"""
