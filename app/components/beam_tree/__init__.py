"""The beam search as a tree, drawn and grown in the browser: mount."""
