"""Import a model: `screen`, then upload, text."""
