"""Security headers: restrictions on the browser in the headers of every answer.

A page shows text that strangers typed, so only this server's own scripts may run. Inline scripts of the start page are
allowed by their hashes, and `blob:`, from which Streamlit loads the JavaScript of a component.
"""

import base64
import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from regard.app.server.page_style import SCRIPT

SETTING = "REGARD_EMBED"

_SITE = re.compile(r"https?://(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::[0-9]{1,5})?")
_HOST = re.compile(r"[a-z0-9.-]+(?::[0-9]{1,5})?|\[[0-9a-f:]+\](?::[0-9]{1,5})?")

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
    sites = (os.environ.get(SETTING, "") if setting is None else setting).lower().split()
    for site in sites:
        if not _SITE.fullmatch(site):
            raise SystemExit(
                f"{SETTING}: {site!r} is not the origin of a site; write them as https://moodle.example.org, "
                "separated by spaces, without a path"
            )
    return tuple(sites)


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
