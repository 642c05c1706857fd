"""A visitor's question: a sentence and a view of it, as one value, with the fields for entering it.

Reading order: question, visit_state, old_links, sentence_input, fields, suggestions, failures, clauses, posterior,
step_picker, head_picker, translated_text, text_row.
"""
