"""Doubt: whether a translation can be trusted, judged by the numbers of its trace alone. NumPy only.

`chance` has it; `pretrained/recipe/doubt.py` fits and measures it.
"""
