"""A training as it goes on: curves, attention and predictions, drawn in the browser; `mount` is its Python."""
