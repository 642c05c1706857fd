"""A worked example to work with: matrices to change, ways to break it, every step, and its code.

Reading order: number_input, edited_matrices, edit_state, matrix_editor, presets, markdown, paper, code,
view; trained_head takes an example from a trained Transformer.
"""
