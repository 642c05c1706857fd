"""Text report: a whole text translated, the measures of each sentence and of all, and two models on one text.

Reading order: text_input, sentence_splitting, soft_alignment_scores, sentence_measures, measuring, text_measures,
text_comparison, text_files.
"""
