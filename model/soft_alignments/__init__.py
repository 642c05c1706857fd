"""Attention that other programs wrote, as alignments; and ours as they would have written it.

Reading order: text_file, tokens, record, then a format a module (regard, marian, opennmt, sockeye, nematus, pharaoh),
`formats`, which lists them, and `reader`, which recognises and reads a file. NumPy only.
"""
