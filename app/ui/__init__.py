"""Small shared parts of pages: headings, figures with their downloads, tables, definitions.

Reading order: heading, plots, page_download, tables, glossary_panel, definitions, growing_sentence, conclusions, source_channels.
"""
