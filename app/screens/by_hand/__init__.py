"""By hand: `screen`, then what it sets beside the examples of a document: printed_table, contradiction, side_by_side,
pytorch_module, number_grid.
"""
