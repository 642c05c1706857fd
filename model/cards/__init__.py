"""Model cards, as Markdown, from what training and evaluation recorded.

Reading order: card, task_card, markdown, head_tables.
"""
