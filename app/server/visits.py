"""Visits that the server knows: which browser began each of them, from where, and whether it is connected now.

A session's id stands in the addresses of its uploads, so whoever reads a proxy's log knows it. The id is useless
without the cookie of the browser that began the session.
"""

from collections import OrderedDict
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

REMEMBERED_VISITS = 10_000  # visits remembered
PREFIX = 64  # bits of an IPv6 address that one subscriber's machines share
UNKNOWN = "unknown"  # in place of the session of another browser
PROTOCOLS = "sec-websocket-protocol"  # the header in which a page names its earlier session, as the third word


@dataclass
class Visit:
    browser: bytes
    network: str
    connection: object = None  # None while disconnected


class Visits:
    """The latest visits, by session."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Visit] = OrderedDict()

    def connected(self, session: str, browser: bytes, network: str, connection: object) -> None:
        """Remember the browser and connection of a session."""
        self._known[session] = Visit(browser, network, connection)
        self._known.move_to_end(session)
        if len(self._known) > REMEMBERED_VISITS:
            self._known.popitem(last=False)

    def left(self, session: str, connection: object) -> None:
        """Forget the connection of a session, unless it has another by now."""
        if (visit := self._known.get(session)) and visit.connection is connection:
            visit.connection = None

    def knows(self, session: str) -> bool:
        return session in self._known

    def is_of(self, session: str, browser: bytes) -> bool:
        """Return True if this browser began the session."""
        return session in self._known and self._known[session].browser == browser

    def away(self, session: str) -> bool:
        """Return True if a session has no connection."""
        return session not in self._known or self._known[session].connection is None

    def network(self, session: str) -> str:
        return self._known[session].network if session in self._known else ""

    def claimed(self, scope: Scope) -> Scope:
        """Return a handshake that is safe for Streamlit: it asks only for a session that this browser began."""
        protocols = Headers(scope=scope).get(PROTOCOLS, "")
        session = named_session(protocols)
        if not session or self.is_of(session, browser(scope)):
            return scope
        protocols = ",".join([*protocols.split(",")[:2], UNKNOWN]).encode("latin-1")
        others = [(name, value) for name, value in scope["headers"] if name != PROTOCOLS.encode()]
        return {**scope, "headers": [*others, (PROTOCOLS.encode(), protocols)]}


def named_session(protocols: str) -> str:
    """Return the earlier session that a browser names when it connects, or ""."""
    return protocols.split(",")[2].strip() if protocols.count(",") > 1 else ""


def browser(scope: Scope) -> bytes:
    """Return the secret in the browser's cookie; b"" if it has none, such as a program or a page in a foreign frame."""
    cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))
    return decode_xsrf_token_string(cookies.get(XSRF_COOKIE_NAME, ""))[0] or b""


visits = Visits()


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
