"""Scripts that a browser fetches: with the page, history and arrival; for saving, Plotly's own and a GIF encoder."""

from importlib.util import find_spec
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

SHARED = Path(__file__).parent.parent / "components" / "shared"
FRESH = "max-age=86400"


def _plotly() -> Path:
    """Plotly's script as its package has it, found without loading the package."""
    package = find_spec("plotly")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("plotly is not installed")
    return Path(package.origin).parent / "package_data" / "plotly.min.js"


SCRIPTS = {"/scripts/plotly.js": _plotly()} | {
    f"/scripts/{name}": SHARED / name for name in ("gifenc.js", "moves.js", "arrival.js")
}


def _route(path: str, file: Path) -> Route:
    """Return what answers who takes no gzip; all others get what `hashed_files` compressed once."""

    async def answer(_: Request) -> FileResponse:
        return FileResponse(file, media_type="text/javascript", headers={"Cache-Control": FRESH})

    return Route(path, answer)


ROUTES = [_route(path, file) for path, file in SCRIPTS.items()]
