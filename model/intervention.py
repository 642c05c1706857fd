"""The name that `regard.model.changes.intervention` had up to version 0.6, as its README documented it."""

from regard.model.changes.intervention import Intervention

__all__ = ["Intervention"]
