"""Small shared parts of pages: headings, figures with their downloads, tables, definitions.

Reading order: heading, errors, choices, download, plots, tables, definitions, growing_sentence, conclusions,
source_channels, dialogs, offline_file.
"""
