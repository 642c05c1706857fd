"""Limits on messages and uploads: what a browser may ask of the server beside the page.

Messages have to fit, and there are as many uploads as fields. Streamlit itself hears any message, and keeps whatever is
uploaded until the visit is over. Places in the training queue are limited in `app/training_jobs/fair_share.py`, models
of a visit in `app/models/visit_folders.py`.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Protocol

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from regard.app.input_validation.browser_messages import BrowserMessages

UPLOADS, UPLOADS_OF_ALL = 4, 40  # files that are kept at once: two fields, and what is about to take their place
LARGEST = 64 * 2**20  # bytes of one, as `.streamlit/config.toml` has it
BYTES_OF_ONE, BYTES_OF_ALL = 150_000_000, 400_000_000  # of one visitor's, and of all of them
PATIENCE = 300.0  # seconds that an upload may take: its bytes are taken from what others may bring meanwhile
TOO_MANY, TOO_SLOW = 429, 408  # what HTTP answers
PROTOCOL_ERROR = 1002  # what a websocket is closed with
FULL = "{} files of {} are kept here already; up to {} are. Remove one, or try again later."
HEAVY = "{} MB of {} are kept here already, and there is room for {} MB. Remove a file, or try again later."

SLOW = f"The file did not arrive within {PATIENCE:g} seconds."

_NO_MESSAGE = b"\xff"  # of a text: Streamlit's messages are bytes
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")


class Upload(Protocol):
    """A file as Streamlit keeps it."""

    @property
    def data(self) -> bytes: ...


class Limits:
    """Pure ASGI middleware."""

    def __init__(self, app: ASGIApp, kept: Callable[[], Mapping[str, Mapping[str, Upload]]] | None = None) -> None:
        self.app = app
        self.kept = kept or uploads
        self._arriving = 0  # bytes of uploads under way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            messages = BrowserMessages()
            await self.app(scope, _heard(receive, messages), _said(send, messages))
            return
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if not upload:
            await self.app(scope, receive, send)
            return
        size = _size(scope)
        if refused := self._refusal(upload[1], upload[2], size):
            await PlainTextResponse(refused, TOO_MANY)(scope, receive, send)
            return
        self._arriving += size
        try:
            async with asyncio.timeout(PATIENCE):
                await self.app(scope, receive, send)
        except TimeoutError:
            await PlainTextResponse(SLOW, TOO_SLOW)(scope, receive, send)
        finally:
            self._arriving -= size

    def _refusal(self, session: str, file: str, size: int) -> str:
        """Why an upload of so many bytes is not taken; "" where it is."""
        kept = self.kept()
        own = {name: len(each.data) for name, each in [*kept.get(session, {}).items()] if name != file}
        every = [len(each.data) for files in [*kept.values()] for each in [*files.values()]]
        if len(own) >= UPLOADS:
            return FULL.format(len(own), "yours", UPLOADS)
        if len(every) >= UPLOADS_OF_ALL:
            return FULL.format(len(every), "all visitors", UPLOADS_OF_ALL)
        for held, room, whose in (
            (sum(own.values()), BYTES_OF_ONE, "yours"),
            (sum(every) + self._arriving, BYTES_OF_ALL, "all visitors"),
        ):
            if held + size > room:
                return HEAVY.format(f"{held / 1e6:.0f}", whose, f"{room / 1e6:.0f}")
        return ""


def _size(scope: Scope) -> int:
    """Bytes that are coming, as the browser says; at most as many as an upload may have: Streamlit refuses more."""
    said = Headers(scope=scope).get("content-length", "")
    return min(int(said), LARGEST) if said.isascii() and said.isdigit() and len(said) < 13 else LARGEST


def uploads() -> Mapping[str, Mapping[str, Upload]]:
    """The files that Streamlit keeps, by session."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager.file_storage if isinstance(manager, MemoryUploadedFileManager) else {}


def _heard(receive: Receive, messages: BrowserMessages) -> Receive:
    """What the browser says, as far as a page of ours makes it say that. What is no message ends the connection."""

    async def heard() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            try:
                fit = messages.fit(message.get("bytes") or _NO_MESSAGE)
            except ValueError as error:
                return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR, "reason": str(error)}
            if fit:
                return {"type": "websocket.receive", "bytes": fit}

    return heard


def _said(send: Send, messages: BrowserMessages) -> Send:
    """What the server says, which tells what the browser may change."""

    async def said(message: Message) -> None:
        if message["type"] == "websocket.send" and message.get("bytes"):
            messages.said(message["bytes"])
        await send(message)

    return said
