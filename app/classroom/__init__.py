"""A class that predicts together.

Reading order: questions, store, results.
"""
