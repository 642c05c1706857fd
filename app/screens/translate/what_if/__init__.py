"""Changing a translation: what may be changed, what was, and the way back.

Reading order: payload, edits, session, history, text, change_list, preview.
"""
