"""Glossary: meaning, formula, shape and source of every term, and where to see it; one TOML file per theme.

Reading order: definition, themes, search.
"""
