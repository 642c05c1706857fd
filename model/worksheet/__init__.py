"""One decoder step as exercises on paper: real numbers, given with the digits that make every sum come out as printed.

Reading order: rounding, heatmap_exercise, sheet.
"""
