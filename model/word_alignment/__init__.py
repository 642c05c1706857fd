"""Word alignment: links drawn by people, links proposed by attention, and their agreement.

Reading order: detokenize, alignment_error_rate, from_attention, from_heads, posterior, posterior_hmm, readings,
comparison, annotation, baselines, symmetrization, jump_penalty.
"""
