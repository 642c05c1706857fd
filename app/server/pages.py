"""Pages and files: Streamlit's start page with the app's style sheets, and files that are compressed once.

The sheets go out with the start page, so that the first thing painted is already in its place; as an element of the
page they would come after the first paint and move the content. The page also gets a placeholder until Streamlit has
drawn anything, some seconds on a slow network, and the scripts that have to run before Streamlit's.

Compressed once are the files with a hash in their names, which browsers cache for a year, and the scripts that are
fetched for saving, Plotly and a GIF encoder.
"""

import asyncio
import gzip
import mimetypes
from collections.abc import Callable
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web.server.starlette.starlette_routes import _ensure_xsrf_cookie

from regard.app.components.shared.component import PLACE, address, file
from regard.app.navigation import FIRST, FIRST_WORDS, MOVED, SCREENS
from regard.app.server.visits import browser

SHORTER = (b"if-none-match", b"if-modified-since", b"accept-encoding")
APP = Path(__file__).parent.parent
SHEET = APP / "style.css"  # of all screens: no class stands for two things, and the later of two equal rules wins
SCRIPT = (APP / "components" / "shared" / "page.js").read_text(encoding="utf-8")  # runs before Streamlit's own scripts
OPENING = (
    f'<div id="opening" aria-hidden="true"><p>Regard</p><p>{FIRST_WORDS}</p></div>'
    "<noscript><style>#opening { display: none }</style></noscript>"
)


# What stands after a part without its script is seen once it has its place; `page.js` ends this. A rule with such a
# :has() slows down every later change of the page, even when it is gone; Translate's parts have their heights anyway.
UNPLACED = (
    '<style id="unplaced">[data-testid="stMain"] :has([data-testid="stSkeleton"]) ~ * { visibility: hidden }</style>'
)
HELD = {*SCREENS, *MOVED} - {FIRST}


class PageStyle:
    """Pure ASGI middleware, so that websockets pass untouched. The sheets are at the end of the body, where they
    override the styles that Streamlit adds to the head."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.style = (
            f"{OPENING}<style>{SHEET.read_text(encoding='utf-8')}</style><script>{SCRIPT}</script></body>".encode()
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        page: list[Message] = []

        async def send_styled(message: Message) -> None:
            headers = Headers(raw=message.get("headers", []))
            if page or headers.get("content-type", "").startswith("text/html"):
                page.append(message)
                if message["type"] == "http.response.body" and not message.get("more_body"):
                    if not browser(scope):
                        page[0]["headers"] = [*page[0]["headers"], *new_cookie(scope)]
                    await self._finish(send, scope["path"].rstrip("/").rsplit("/", 1)[-1], *page)
            else:
                await send(message)

        if "." not in scope["path"].rsplit("/", 1)[-1]:  # a page: without cache validators or compression
            scope = {**scope, "headers": [(name, value) for name, value in scope["headers"] if name not in SHORTER]}
        await self.app(scope, receive, send_styled)

    async def _finish(self, send: Send, screen: str, start: Message, *bodies: Message) -> None:
        body = b"".join(message.get("body", b"") for message in bodies)
        styled = body.replace(b"</body>", (UNPLACED.encode() if screen in HELD else b"") + self.style, 1)
        headers = MutableHeaders(raw=start["headers"])
        if "content-length" in headers and styled != body:
            headers["content-length"] = str(len(styled))
        for name in ("etag", "last-modified"):  # they describe Streamlit's file, not this page
            del headers[name]
        await send(start)
        await send({"type": "http.response.body", "body": styled})


def new_cookie(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Return the header that gives a browser its secret with the page. Streamlit would give it with each of the
    requests that the page then makes at once, another one each time, and the last to arrive would be kept."""
    response = Response()
    _ensure_xsrf_cookie(Request(scope), response)
    return [header for header in response.raw_headers if header[0] == b"set-cookie"]


FRESH = "max-age=86400"
STREAMLIT = Path(streamlit.__file__).parent / "static"
PACKED = {".js", ".css", ".svg", ".json"}  # fonts and pictures are compressed already
KEPT = "public, max-age=31536000, immutable"


# Plotly's script in its package, which takes a second to import
PLOTLY = Path(str(distribution("plotly").locate_file("plotly/package_data/plotly.min.js")))
SCRIPTS = {"/scripts/plotly.js": PLOTLY, "/scripts/gifenc.js": APP / "components" / "shared" / "gifenc.js"}


class HashedFiles:
    """Pure ASGI middleware. The app answers everything else, including Streamlit's files for clients without gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        paths = [path for path in (STREAMLIT / "static").rglob("*") if path.suffix in PACKED]
        self.files = {f"/{path.relative_to(STREAMLIT).as_posix()}": path for path in paths} | SCRIPTS
        self._packed: dict[str, asyncio.Task[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        path = scope["path"].removeprefix(address("").removesuffix(f"{PLACE}/")) if asked else ""
        packs = asked and "gzip" in Headers(scope=scope).get("accept-encoding", "")
        if path.startswith(f"{PLACE}/"):
            packed = await asyncio.to_thread(file, path.removeprefix(f"{PLACE}/"))
            if packed is None:
                await Response(status_code=404)(scope, receive, send)
                return
            content = await self._pack(path, partial(bytes, packed)) if packs else packed
        elif path in self.files and (packs or path in SCRIPTS):
            read = self.files[path].read_bytes
            content = await (self._pack(path, read) if packs else asyncio.to_thread(read))
        else:
            await self.app(scope, receive, send)
            return
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        kept = FRESH if path in SCRIPTS else KEPT
        headers = {"Cache-Control": kept, "Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if packs else {})
        await Response(content, media_type=kind, headers=headers)(scope, receive, send)

    async def _pack(self, path: str, read: Callable[[], bytes]) -> bytes:
        """Return the compressed file; it is compressed once, however many requests come at the same moment."""
        if path not in self._packed:
            self._packed[path] = asyncio.create_task(asyncio.to_thread(lambda: gzip.compress(read(), 9, mtime=0)))
        return await asyncio.shield(self._packed[path])
