"""The operator's metrics, counts and memory, refused to every request that a proxy has forwarded.

The app decides, because a proxy's rule about paths misses /_stcore/%6detrics, which is the same address.
"""

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

METRICS = "/_stcore/metrics"
FORWARDED = ("x-forwarded-for", "forwarded")  # headers in which a proxy names the client


class Metrics:
    """Pure ASGI middleware: refuses metrics to a client that a proxy forwards."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["path"].endswith(METRICS)
        if asked and any(name in Headers(scope=scope) for name in FORWARDED):
            await PlainTextResponse("metrics are not answered through a proxy", 404)(scope, receive, send)
        else:
            await self.app(scope, receive, send)
