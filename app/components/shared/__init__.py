"""Scripts and style sheets that several components use, and what stands above a column of them.

Reading order: assets, head.
"""
