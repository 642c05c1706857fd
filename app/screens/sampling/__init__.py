"""Sampling: `screen`, then inputs, samples, sample_picker, text."""
