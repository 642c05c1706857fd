"""Parallel text: `corpus` reads, checks, splits and batches it; `stories` has pairs with aligned words."""
