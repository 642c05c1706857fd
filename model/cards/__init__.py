"""Model cards, as Markdown, from what training and evaluation recorded: `card` fills in templates, `record_files` reads
and writes the records."""
