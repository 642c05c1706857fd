"""Attention that other programs wrote, as alignments; and ours as they would have written it.

`formats` lists the formats, `reading` recognises and reads a file. NumPy only.
"""
