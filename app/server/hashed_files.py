"""Files compressed once: those with a hash in their names, which browsers cache for a year, and our scripts.

The scripts are fetched for saving: Plotly and a GIF encoder.
"""

import asyncio
import gzip
import mimetypes
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import streamlit
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from regard.app.components.shared.served import PLACE, address, file

SHARED = Path(__file__).parent.parent / "components" / "shared"
FRESH = "max-age=86400"
STREAMLIT = Path(streamlit.__file__).parent / "static"
PACKED = {".js", ".css", ".svg", ".json"}  # fonts and pictures are compressed already
KEPT = "public, max-age=31536000, immutable"


def _plotly() -> Path:
    """Return the path of Plotly's script in its package, without importing the package."""
    package = find_spec("plotly")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("plotly is not installed")
    return Path(package.origin).parent / "package_data" / "plotly.min.js"


SCRIPTS = {"/scripts/plotly.js": _plotly(), "/scripts/gifenc.js": SHARED / "gifenc.js"}


def _route(path: str, file: Path) -> Route:
    """Return the route for clients without gzip; others get the file that `HashedFiles` compressed once."""

    async def answer(_: Request) -> FileResponse:
        return FileResponse(file, media_type="text/javascript", headers={"Cache-Control": FRESH})

    return Route(path, answer)


ROUTES = [_route(path, file) for path, file in SCRIPTS.items()]


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
        elif packs and path in self.files:
            content = await self._pack(path, self.files[path].read_bytes)
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
