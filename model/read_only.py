"""Read-only arrays: a frozen value also freezes its arrays, which NumPy would otherwise leave writable."""

from numpy import ndarray


def freeze(value: object) -> None:
    """Make every array among the fields read-only; called from a frozen dataclass's `__post_init__`."""
    for field in vars(value).values():
        if isinstance(field, ndarray):
            field.setflags(write=False)
