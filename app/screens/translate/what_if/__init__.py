"""Changing a translation on the screen; what a change is and does stands in `regard.model.changes`.

Reading order: state, change_list, preview.
"""
