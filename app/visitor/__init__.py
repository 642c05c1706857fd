"""A visitor's question: a sentence and how to look at it, as one value, with the fields that ask for it.

Reading order: question, visit_state, old_links, sentence_input, fields, suggestions, failures, clauses, posterior,
step_picker, head_picker, translated_text, text_row.
"""
