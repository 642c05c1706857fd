"""Attention worked out on small matrices: shown by the app, asserted by the tests, downloaded as programs.

A worked example is one NumPy function whose local values are its steps. The app runs that very function on matrices
that a reader may change, and shows its very source. Reading order: entries, example, then an example a module; then
source_code, in_torch and program, which write it down. Shapes are in letters of each example's own: its sizes may
be changed. partial and trained_attention do the same for a trained Transformer, whose matrices only fit in part.
"""
