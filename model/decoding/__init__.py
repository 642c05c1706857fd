"""Decoding other than greedily: beam search, sampling, and tokens that a person forces.

Reading order: beam_score, beam, beam_tree, beam_expand, beam_edits; token_sampling, sampling; forced_text.
"""
