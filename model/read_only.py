"""Read-only arrays: a frozen value also freezes its arrays, which NumPy would otherwise leave writable."""

from typing import Any

from numpy import ndarray


class ReadOnly:
    """The base of a frozen dataclass with arrays."""

    def __post_init__(self) -> None:
        for field in vars(self).values():
            if isinstance(field, ndarray):
                field.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, whose arrays are read-only too."""
        vars(self).update(state)
        self.__post_init__()
