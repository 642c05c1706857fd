"""Changing a translation on the screen; `regard.model.changes` defines the changes.

Reading order: state, change_list, preview.
"""
