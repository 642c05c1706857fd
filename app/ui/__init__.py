"""Small shared parts of pages: headings, figures with their downloads, tables, definitions.

Reading order: heading, plots, tables, definitions, growing_sentence, conclusions, source_channels.
"""
