"""The drawer beside a translation: the arithmetic of a number, or the training states near to a step.

Reading order: panel, met_in_training.
"""
