"""Scripts that a browser fetches: with the page, history and arrival; for saving, Plotly's own and a GIF encoder."""

from importlib.util import find_spec
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

SHARED = Path(__file__).parent.parent / "components" / "shared"
FRESH = {"Cache-Control": "max-age=86400"}


def _plotly() -> Path:
    """Plotly's script as its package has it, found without loading the package."""
    package = find_spec("plotly")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("plotly is not installed")
    return Path(package.origin).parent / "package_data" / "plotly.min.js"


def _route(name: str, file: Path) -> Route:
    async def answer(_: Request) -> FileResponse:
        return FileResponse(file, media_type="text/javascript", headers=FRESH)

    return Route(f"/scripts/{name}", answer)


ROUTES = [
    _route("plotly.js", _plotly()),
    *(_route(name, SHARED / name) for name in ("gifenc.js", "moves.js", "arrival.js")),
]
