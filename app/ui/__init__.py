"""Small parts that several screens share.

Reading order: widgets, plots, offline_file, conclusions, growing_sentence.
"""
