"""The list of samples under the greedy translation; `mount` is its Python."""
