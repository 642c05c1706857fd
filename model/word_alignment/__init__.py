"""Word alignment: links that people drew, links that attention proposes, and how far they agree.

Reading order: alignment_error_rate, detokenize, from_attention, comparison, annotation, baselines.
"""
