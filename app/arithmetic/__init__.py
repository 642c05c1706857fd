"""The arithmetic of one number as formulas on a page.

Reading order: equations, panel.
"""
