"""Scripts that a browser fetches: history and arrival with the page; Plotly and a GIF encoder for saving."""

from importlib.util import find_spec
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

SHARED = Path(__file__).parent.parent / "components" / "shared"
FRESH = "max-age=86400"


def _plotly() -> Path:
    """Return the path of Plotly's script in its package, without importing the package."""
    package = find_spec("plotly")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("plotly is not installed")
    return Path(package.origin).parent / "package_data" / "plotly.min.js"


SCRIPTS = {"/scripts/plotly.js": _plotly()} | {
    f"/scripts/{name}": SHARED / name for name in ("gifenc.js", "moves.js", "arrival.js")
}


def _route(path: str, file: Path) -> Route:
    """Return the route for clients without gzip; others get the file that `hashed_files` compressed once."""

    async def answer(_: Request) -> FileResponse:
        return FileResponse(file, media_type="text/javascript", headers={"Cache-Control": FRESH})

    return Route(path, answer)


ROUTES = [_route(path, file) for path, file in SCRIPTS.items()]
