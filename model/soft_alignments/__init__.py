"""Attention files of other programs read as alignments, and ours written in their formats.

Reading order: text_file, tokens, record, then one module per format (regard, marian, opennmt, sockeye, nematus,
pharaoh), `formats`, which lists them, and `reader`, which recognises and reads a file. NumPy only.
"""
