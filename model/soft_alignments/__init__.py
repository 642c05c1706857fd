"""Attention files of other programs read as alignments.

Reading order: tokens, given_attention (any attention, and `regard.show`), hugging_face (outputs of its models), record,
text_formats, json_files, `formats`, which lists them, recognises and reads a file, and derived. NumPy only.
"""
