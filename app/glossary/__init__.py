"""Every term of the app: what it means, its formula, shape and source, and where it can be seen; a module a theme.

Reading order: definition, a module a theme, themes, search.
"""
