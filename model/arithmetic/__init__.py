"""Any number of a translation opened down to its terms, in NumPy, and the table that describes every number.

Reading order: numbers.toml (the table) and quantity, terms (computes a number's terms as the table declares them),
recurrent and transformer (open the numbers of either network).
"""
