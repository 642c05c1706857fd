"""Read-only arrays: a value that is frozen is so with its arrays, which NumPy would let anyone write."""

from numpy import ndarray


def freeze(value: object) -> None:
    """Make the arrays among its fields read-only; called where a frozen dataclass has got them."""
    for field in vars(value).values():
        if isinstance(field, ndarray):
            field.setflags(write=False)
