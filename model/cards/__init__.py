"""Model cards, as Markdown, from what training and evaluation recorded.

Reading order: record_files, card, task_card, markdown, further_tables, readme_tables.
"""
