"""Glossary: meaning, formula, shape and source of every term, and where to see it, in two TOML files: `terms`."""
