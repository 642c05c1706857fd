"""Small parts that several screens share.

Reading order: head, widgets, definitions, plots, offline_file, conclusions, growing_sentence.
"""
