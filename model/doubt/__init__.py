"""Doubt: whether a translation can be trusted, judged by the numbers of its trace alone. NumPy only.

Reading order: chance; calibration, with which `pretrained/recipe/doubt.py` fits the chance and measures it.
"""
