"""A worked example to work with: matrices to change, ways to break it, every step, and its code.

Reading order: paper, study.
"""
