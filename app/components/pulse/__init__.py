"""The pulse of a page that follows a class; `mount` is its Python."""
