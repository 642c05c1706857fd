"""Figure export: buttons that save a figure as SVG or PNG.

Reading order: mount, and figure_export.js for what a picture has.
"""
