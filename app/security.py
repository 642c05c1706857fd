"""Headers: the names and origins by which the server may be reached, and the browser's restrictions in every answer.

A foreign site can make its own name resolve to this machine; its page could then talk to this server as if it were its
own (DNS rebinding). A numeric address cannot be redirected; a name has to be known.

A page shows text that strangers typed, so only this server's own scripts may run. Inline scripts of the start page are
allowed by their hashes, and `blob:`, from which Streamlit loads the JavaScript of a component.
"""

import base64
import hashlib
import os
import re
import socket
from collections.abc import Collection, Sequence
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit import config

from regard.app.server.pages import SCRIPT

EMBED_SETTING, HOSTS_SETTING = "REGARD_EMBED", "REGARD_HOSTS"
ANY = "*"
MISDIRECTED, POLICY = 421, 1008  # status codes of HTTP and websockets
HOST_CHARACTERS = 253  # characters of a host name

_NAME = re.compile(r"\*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*")
_SITE = re.compile(r"https?://(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::[0-9]{1,5})?")
_HOST = re.compile(r"[a-z0-9._-]+(?::[0-9]{1,5})?|\[[0-9a-f:]+\](?::[0-9]{1,5})?")

_PAGE = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
_INLINE_SCRIPTS = " ".join(
    f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    for script in (*re.findall(r"<script>(.*?)</script>", _PAGE, re.DOTALL), SCRIPT)
)

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # the link contains what the visitor typed
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def embedding_sites(setting: str | None = None) -> tuple[str, ...]:
    """Return the sites that may embed the app: origins separated by spaces, from REGARD_EMBED unless given. Exits with
    one line that names the value if one of them is not an origin."""
    reason = "the origin of a site; write them as https://moodle.example.org, separated by spaces, without a path"
    return _listed(EMBED_SETTING, setting, _SITE, reason)


def _listed(name: str, setting: str | None, pattern: re.Pattern[str], accepted: str) -> tuple[str, ...]:
    values = (os.environ.get(name, "") if setting is None else setting).lower().split()
    if odd := next((value for value in values if not pattern.fullmatch(value)), ""):
        raise SystemExit(f"{name}: {odd!r} is not {accepted}")
    return tuple(values)


def policy(host: str, sites: Sequence[str]) -> str:
    """Return the Content-Security-Policy for a visitor who reached the server by this host name."""
    websockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    rules = {
        "default-src": "'self'",
        "script-src": f"'self' blob: {_INLINE_SCRIPTS}",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": f"'self'{websockets}",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(["'self'", *sites]),
    }
    return "; ".join(f"{name} {sources}" for name, sources in rules.items())


class SecurityHeaders:
    """Add the headers to every answer: pure ASGI middleware, so that websockets pass untouched."""

    def __init__(self, app: ASGIApp, sites: Sequence[str]) -> None:
        self.app = app
        self.sites = sites
        self.headers = _HEADERS if sites else _HEADERS | {"X-Frame-Options": "SAMEORIGIN"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        content_policy = policy(Headers(scope=scope).get("host", ""), self.sites)

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                headers["Content-Security-Policy"] = content_policy
                headers.update(self.headers)
            await send(message)

        await self.app(scope, receive, send_secured)


def known_hosts(setting: str | None = None) -> tuple[str, ...]:
    """Return the names by which the server may be reached, besides its addresses: this machine's and those of
    REGARD_HOSTS. Exits with one line that names the value if one of them is not a host name."""
    name = "a host name; write them as regard.example.org or *.example.org, "
    names = _listed(HOSTS_SETTING, setting, _NAME, f"{name}separated by spaces, without a port, or {ANY} for any")
    machine = socket.gethostname().lower()
    return ("localhost", "*.localhost", machine, f"{machine}.local", *names)


def is_known(host: str, known: Collection[str]) -> bool:
    """Return True if a Host header, which may have a port, is an IP address or one of these names."""
    if len(host) > HOST_CHARACTERS or not _HOST.fullmatch(host.lower()):
        return False
    name = re.sub(r":[0-9]{1,5}$", "", host.lower()).removesuffix(".")
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        suffixes = [each[1:] for each in known if each.startswith("*.")]
        return ANY in known or name in known or any(name.endswith(suffix) for suffix in suffixes)
    return True


def is_foreign(origin: str, host: str) -> bool:
    """Return True for a page of another site, or of another port of this host; a program names no origin. Streamlit
    would admit any page of this machine."""
    if not origin or not config.get_option("server.enableCORS"):
        return False
    try:
        allowed = [*(config.get_option("server.corsAllowedOrigins") or ()), f"//{host}"]
        return urlsplit(origin).netloc not in {urlsplit(each).netloc for each in allowed} - {""}
    except ValueError:  # half an address, such as http://[
        return True


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
        foreign = is_foreign(headers.get("origin", ""), host)
        if is_known(host, self.known) and not (foreign and scope["type"] == "websocket"):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(POLICY)(scope, receive, send)
        else:
            refusal = f"{host[:HOST_CHARACTERS]!r} is not a name of this server: use its address or one of its names. "
            how = f"Its administrator can add names: {HOSTS_SETTING}=regard.example.org"
            await PlainTextResponse(refusal + how, MISDIRECTED)(scope, receive, send)
