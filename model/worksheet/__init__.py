"""One decoder step as exercises on paper: real numbers, with enough digits that every sum comes out as printed.

Reading order: rounding, heatmap_exercise, sheet.
"""
