"""The arithmetic of one number as formulas on a page.

Reading order: equations, met_in_training, panel.
"""
