"""A training in progress: curves, attention and predictions, drawn in the browser; `mount` is its Python."""
