"""Synthetic tasks on sequences of numbers, which a network learns as you watch.

Reading order: tasks, setup, exact_match, trainer, small_trainings, exposure_bias.
"""
