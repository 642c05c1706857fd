"""Visitor: a visit, and where on the network it comes from, so that one visitor's share leaves room for others."""

from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from starlette.types import Scope

PREFIX = 64  # bits of an IPv6 address that one subscriber's machines share


class Visitor(NamedTuple):
    """A visit and its address; "" for a visitor at this machine, where no share is kept for others."""

    session: str = ""
    address: str = ""


NOBODY = Visitor()


def share(places: int) -> int:
    """Return how many of `places` the visitors of one address may take; a class shares one address, so most."""
    return places * 3 // 4


def network(scope: Scope) -> str:
    """Return where a connection comes from: an IPv4 address, the first half of an IPv6 address, "" for this machine."""
    client = scope.get("client")
    try:
        address = ip_address(client[0] if client else "")
    except ValueError:  # a proxy that gives a name, or a socket of this machine
        return client[0] if client else ""
    if address.is_loopback:
        return ""
    if isinstance(address, IPv6Address):
        return (address.ipv4_mapped or IPv6Address(int(address) >> PREFIX << PREFIX)).compressed
    return address.compressed
