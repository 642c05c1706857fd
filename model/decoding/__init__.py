"""Decoding other than greedily: beam search and sampling.

Reading order: beam_score, beam, beam_tree, beam_expand, beam_edits; token_sampling, sampling.
"""
