"""Small shared parts of pages: headings, figures with their downloads, tables, definitions.

Reading order: heading, choices, download, plots, page_download, tables, definitions, glossary_panel, growing_sentence,
conclusions, source_channels, dialogs, offline_file.
"""
