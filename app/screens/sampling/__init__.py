"""Sampling: `screen`, then inputs, sample_picker, text."""
