"""One decoder step as exercises on paper: real numbers, with enough digits for every sum to be exact as printed.

One module: sheet.
"""
