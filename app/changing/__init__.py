"""Changing a translation: what may be changed, what was, and the way back."""
