"""The name that `regard.model.changes.what_if` had up to version 0.6, as its README documented it."""

from regard.model.changes.what_if import translate

__all__ = ["translate"]
