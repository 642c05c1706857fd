"""The grid on which a visitor draws word links; `mount` is its Python."""
