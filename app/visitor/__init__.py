"""A visitor's question: a sentence and a view of it, as one value, with the fields for entering it.

Reading order: question, old_links, suggestions, sentence_input, pickers, translated_text.
"""
