"""Text report: a whole text translated and measured, by sentence and in total, and two models compared on a text.

Reading order: text_input, sentence_measures, text_measures.
"""
