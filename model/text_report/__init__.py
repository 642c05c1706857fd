"""Text report: a whole text translated and measured, by sentence and in total, and two models compared on a text.

Reading order: text_input, sentence_splitting, sentence_measures, measuring, text_measures,
text_comparison, text_files.
"""
