"""A worked example to work with: its matrices to change, ways to break it, every step, and its code."""
