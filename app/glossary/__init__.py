"""Every term of the app: what it means, its formula, shape and source, and where it can be seen; a TOML file a theme.

Reading order: definition, themes, search.
"""
