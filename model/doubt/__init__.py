"""Doubt: whether a translation can be trusted, judged by the numbers of its trace alone. NumPy only.

Reading order: chance; calibration, with which `regard evaluate --calibrate` fits the chance and measures it.
"""
