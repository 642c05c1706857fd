"""Scripts and style sheets that several components use, how script and numbers travel, and what heads a column.

Reading order: modules, served, packed, head.
"""
