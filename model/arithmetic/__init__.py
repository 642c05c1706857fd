"""Any number of a translation opened down to its terms, in NumPy.

Reading order: kinds, quantity, derivation, attention, recurrent_cell, output, posterior.
"""
