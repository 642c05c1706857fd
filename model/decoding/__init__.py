"""Decoding other than greedily: beam search and sampling.

Reading order: beam_tree (and the score of translations), beam; token_sampling, sampling.
"""
