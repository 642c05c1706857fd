"""Worked examples: `screen`, then what it sets beside the examples of a document: printed_table,
side_by_side, claims, pytorch_module, number_grid.
"""
