"""One script a screen: widgets in, figures out; no arithmetic of their own."""
