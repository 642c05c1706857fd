"""The app's style sheets go out with Streamlit's start page, so that the first thing painted is already in its place.

As an element of the page it would come after the first paint and move the content. The page also gets a placeholder
until Streamlit has drawn anything, some seconds on a slow network, and the scripts that have to run before Streamlit's.
"""

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from regard.app.navigation import FIRST, FIRST_WORDS, MOVED, SCREENS

SHORTER = (b"if-none-match", b"if-modified-since", b"accept-encoding")
APP = Path(__file__).parent.parent
SHEETS = (  # of all screens at once: no class stands for two things, and the later of two equal rules wins
    "ui/parts.css",
    "worked_example/study.css",
    "screens/attention_files/formats.css",
    "screens/attention_search/inputs.css",
    "screens/model_import/text.css",
    "screens/recorded_training/film.css",
    "screens/sampling/inputs.css",
    "screens/translate/changes.css",
    "screens/watch/inputs.css",
    "screens/worked_examples/tables.css",
    "style.css",
    "screens/learn/lesson.css",
    "screens/glossary/glossary.css",
    "screens/alignment/pair.css",
    "screens/beam/text.css",
    "screens/transformer/text.css",
)
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
        sheets = "\n".join((APP / sheet).read_text(encoding="utf-8") for sheet in SHEETS)
        self.style = f"{OPENING}<style>{sheets}</style><script>{SCRIPT}</script></body>".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start: list[Message] = []
        body = b""

        async def send_styled(message: Message) -> None:
            nonlocal body
            if message["type"] == "http.response.start":
                if not MutableHeaders(raw=message["headers"]).get("content-type", "").startswith("text/html"):
                    await send(message)
                    return
                start.append(message)
            elif not start:
                await send(message)
            elif message["type"] == "http.response.body":
                body += message.get("body", b"")
                if not message.get("more_body"):
                    screen = scope["path"].rstrip("/").rsplit("/", 1)[-1]
                    held = UNPLACED.encode() if screen in HELD else b""
                    await self._finish(send, start.pop(), body, held + self.style)

        await self.app(_uncached(scope), receive, send_styled)

    async def _finish(self, send: Send, start: Message, body: bytes, style: bytes) -> None:
        styled = body.replace(b"</body>", style, 1)
        headers = MutableHeaders(raw=start["headers"])
        if "content-length" in headers and styled != body:
            headers["content-length"] = str(len(styled))
        for name in ("etag", "last-modified"):  # they describe Streamlit's file, not this page
            if name in headers:
                del headers[name]
        await send(start)
        await send({"type": "http.response.body", "body": styled, "more_body": False})


def _uncached(scope: Scope) -> Scope:
    """Return the request for a page without cache validators or compression; other requests stay as they are."""
    if "." in scope["path"].rsplit("/", 1)[-1]:
        return scope
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name not in SHORTER]}
