"""The screen on which attention of other programs is opened."""
