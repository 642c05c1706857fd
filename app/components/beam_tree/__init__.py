"""The beam search as a tree, drawn and grown in the browser.

Reading order: payload, mount.
"""
