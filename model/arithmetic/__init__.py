"""Any number of a translation opened down to its terms, in NumPy, and the table that describes every number.

Reading order: numbers.toml (the table) and kinds, quantity, derivation, notation, work_out (opens any of them),
attention, cell_moment, recurrent_cell, output, posterior; for a Transformer: transformer, transformer_heads,
layer_norm, transformer_places.
"""
