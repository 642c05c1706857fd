"""Scripts and style sheets that several components share, the transport of scripts and numbers, and column heads.

Reading order: modules, served, packed, head.
"""
