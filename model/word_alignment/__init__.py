"""Word alignment: links drawn by people, links proposed by attention, and their agreement.

Reading order: detokenize, alignment_error_rate, posterior, from_attention, baselines.
"""
