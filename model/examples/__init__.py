"""Attention worked out on small matrices: shown by the app, checked by the tests, downloaded as programs.

A worked example is a table of steps; the line of NumPy that computes a step runs in the app, on matrices that a reader
may change, and is shown. Reading order: operations, example, program; then the examples in tutorials, decoder_steps and
transformer, and documents, which they are from; score_presets breaks them. trained_attention does the same for a
trained Transformer, whose matrices are shown in part; pytorch_module repairs a tutorial's module. Each example has
its own letters for shapes, because sizes may be changed.
"""
