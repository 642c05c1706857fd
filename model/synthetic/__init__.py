"""Synthetic tasks on sequences of numbers, which a network learns as you watch.

Reading order: tasks, setup, trainer, scheduled_sampling, exact_match, place_keeping, log, export.
"""
