"""Any number of a translation opened down to its terms, in NumPy.

Reading order: kinds, labels, quantity, derivation, work_out (opens any of them), attention, cell_moment,
recurrent_cell, output, posterior; of a Transformer: transformer, transformer_heads, layer_norm, transformer_places.
"""
