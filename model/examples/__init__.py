"""Attention worked out on small matrices: shown by the app, checked by the tests, downloaded as programs.

A worked example is one NumPy function whose local values are its steps. The app runs that very function on matrices
that a reader may change, and shows its source. Reading order: entries, example, then one module per example; then
source_code, in_torch and program, which write it as code. Each example has its own letters for shapes, because sizes
may be changed. partial and trained_attention do the same for a trained Transformer, whose matrices are shown in part.
"""
