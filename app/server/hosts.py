"""Known hosts: the names by which the server may be reached.

A foreign site can make its own name resolve to this machine; its page could then talk to this server as if it were its
own (DNS rebinding). A numeric address cannot be redirected; a name has to be known.
"""

import os
import re
import socket
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit import config

SETTING = "REGARD_HOSTS"
ANY = "*"
MISDIRECTED, POLICY = 421, 1008  # status codes of HTTP and websockets
HOST_CHARACTERS = 253  # characters of a host name

_NAME = re.compile(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*")


def known_hosts(setting: str | None = None) -> tuple[str, ...]:
    """Return the names by which the server may be reached, besides its addresses: this machine's and those of
    REGARD_HOSTS. Exits with one line that names the value if one of them is not a host name."""
    names = (os.environ.get(SETTING, "") if setting is None else setting).lower().split()
    for name in names:
        if name != ANY and not _NAME.fullmatch(name):
            raise SystemExit(
                f"{SETTING}: {name!r} is not a host name; write them as regard.example.org or *.example.org, separated "
                f"by spaces, without a port, or {ANY} for any"
            )
    machine = socket.gethostname().lower()
    return ("localhost", "*.localhost", machine, f"{machine}.local", *names)


def is_known(host: str, known: Collection[str]) -> bool:
    """Return True if a Host header, which may have a port, is an IP address or one of these names."""
    name = re.sub(r":[0-9]{1,5}$", "", host.lower()).removesuffix(".")
    if len(host) > HOST_CHARACTERS:
        return False
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        suffixes = [each[1:] for each in known if each.startswith("*.")]
        return ANY in known or name in known or any(name.endswith(suffix) for suffix in suffixes)
    return True


def _is_foreign(headers: Headers) -> bool:
    """Return True for a page of another site, or of another port of this host; a program names no origin. Streamlit
    would admit any page of this machine."""
    origin = headers.get("origin", "")
    allowed = [*(config.get_option("server.corsAllowedOrigins") or ()), f"//{headers.get('host', '')}"]
    netlocs = {urlsplit(each).netloc for each in allowed} - {""}
    return bool(origin) and bool(config.get_option("server.enableCORS")) and urlsplit(origin).netloc not in netlocs


class KnownHosts:
    """Pure ASGI middleware. Requests under another name get a message that says what the operator can do."""

    def __init__(self, app: ASGIApp, known: Collection[str]) -> None:
        self.app, self.known = app, known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if is_known(host, self.known) and not (scope["type"] == "websocket" and _is_foreign(headers)):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(POLICY)(scope, receive, send)
        else:
            refusal = f"{host[:HOST_CHARACTERS]!r} is not a name of this server: use its address or one of its names. "
            how = f"Its administrator can add names: {SETTING}=regard.example.org"
            await PlainTextResponse(refusal + how, MISDIRECTED)(scope, receive, send)
