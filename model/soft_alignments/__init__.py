"""Attention files of other programs read as alignments, and traces written in their formats.

Reading order: text_file, tokens, given_attention (any attention, and `regard.show`), hugging_face (outputs of its
models), record, then one module per format (regard, plain, inseq, fairseq, marian, opennmt, sockeye, nematus,
pharaoh), and `formats`, which lists them, recognises and reads a file. NumPy only.
"""
