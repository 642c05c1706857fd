"""Visitor: a visit, and where on the network it comes from. What one of them may have leaves something for others."""

from typing import NamedTuple


class Visitor(NamedTuple):
    """`address` is "" of a visitor at this machine, where no share is kept for others."""

    session: str = ""
    address: str = ""


NOBODY = Visitor()


def share(places: int) -> int:
    """Of so many places those that visitors of one address may have; a class behind one address has most of them."""
    return places * 3 // 4
