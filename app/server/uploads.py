"""Uploads: how many files and bytes a visit, a network and all visitors may keep here, counted as they arrive.

The announced size is not trusted. Files of disconnected visits are dropped when others need their room. Streamlit
itself keeps every upload until the visit is over. `model/readable.py` has the largest size of one file.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from regard.app.server.visits import Visits, browser, network, share, visits

UPLOADS, UPLOADS_OF_ALL = 4, 400  # files kept at once: of two fields, and their replacements
BYTES_OF_ONE, BYTES_OF_ALL = 150_000_000, 400_000_000  # for one visitor, and for all of them
PATIENCE = 300.0  # seconds that an upload may take
REST = 10.0  # seconds for the rest of a file that is refused
TOO_MANY, TOO_SLOW, NOT_YOURS, NO_SPACE = 429, 408, 403, 507  # HTTP status codes
YOURS, NETWORKS, ALL = "yours", "visitors from your network", "all visitors"
FULL = "{} files of {} are already kept here; the limit is {}. Remove one, or try again later."
HEAVY = "{} MB of {} are already kept here; there is room for {} MB. Remove a file, or try again later."
SLOW = f"The file did not arrive within {PATIENCE:g} seconds."
DISK = "The server could not write the file, perhaps because its disk is full. Try again later."
STRANGE = "This visit belongs to another browser."

_BOUNDARY = re.compile(r'; *boundary="?([a-z0-9\'()+,./:=?_-]{1,70})"? *(?:;|$)', re.ASCII | re.IGNORECASE)
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")
_logger = logging.getLogger("uvicorn.error")


@dataclass(eq=False)
class HeldFile:
    """A file that is kept, or still arriving, and its bytes so far."""

    session: str
    network: str
    name: str
    size: int = 0


class RefusedError(Exception):
    """There is no room for an upload."""


class Uploads:
    """Pure ASGI middleware. `kept` has the files that Streamlit keeps, by session, and `drop` removes a session's."""

    def __init__(
        self,
        app: ASGIApp,
        kept: Callable[[], Mapping[str, Mapping[str, UploadedFileRec]]] | None = None,
        drop: Callable[[str], object] | None = None,
        known: Visits = visits,
    ) -> None:
        self.app, self.known = app, known
        self.kept, self.drop = kept or uploads, drop or _drop
        self._arriving: list[HeldFile] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if not found or scope["method"] not in ("PUT", "DELETE"):
            await self.app(scope, receive, send)
        elif self.known.knows(found[1]) and not self.known.is_of(found[1], browser(scope)):
            await _refuse(STRANGE, NOT_YOURS, scope, receive, send)
        elif scope["method"] == "DELETE":
            await self.app(scope, receive, send)
        else:
            upload = HeldFile(found[1], network(scope), found[2])
            await self._receive_upload(upload, _with_boundary_alone(scope), receive, send)

    async def _receive_upload(self, upload: HeldFile, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted() -> Message:
            message = await receive()
            upload.size += len(message.get("body", b""))
            self._check(upload)
            return message

        refusal = DISK, NO_SPACE
        self._arriving.append(upload)
        try:
            self._check(upload)
            async with asyncio.timeout(PATIENCE):
                await self.app(scope, counted, send)
            return
        except ClientDisconnect:
            return  # the page was closed meanwhile; nobody receives an answer
        except RefusedError as refused:
            refusal = str(refused), TOO_MANY
        except TimeoutError:
            refusal = SLOW, TOO_SLOW
        except OSError as error:
            _logger.warning("an upload could not be written: %s", error.strerror)
        finally:
            self._arriving.remove(upload)
        await _refuse(*refusal, scope, receive, send)

    def _check(self, upload: HeldFile) -> None:
        """Raise RefusedError if there is no room, even after dropping files of disconnected visits."""
        if not self._refusal(upload):
            return
        for session in [*self.kept()]:
            if session != upload.session and self.known.away(session):
                self.drop(session)
        if refusal := self._refusal(upload):
            raise RefusedError(refusal)

    def _refusal(self, upload: HeldFile) -> str:
        """Return why a file has no room beside those that are here or arriving, except the one that it replaces."""
        kept = [
            HeldFile(session, self.known.network(session), name, len(file.data))
            for session, files in [*self.kept().items()]
            for name, file in [*files.items()]
        ]
        here = upload.session, upload.name
        others = [held for held in (*kept, *self._arriving) if (held.session, held.name) != here]
        own = [held.size for held in others if held.session == upload.session]
        near = [held.size for held in others if upload.network and held.network == upload.network]
        every = [held.size for held in others]
        for sizes, places, room, whose in (
            (own, UPLOADS, BYTES_OF_ONE, YOURS),
            (near, share(UPLOADS_OF_ALL), share(BYTES_OF_ALL), NETWORKS),
            (every, UPLOADS_OF_ALL, BYTES_OF_ALL, ALL),
        ):
            if len(sizes) >= places:
                return FULL.format(len(sizes), whose, places)
            if sum(sizes) + upload.size > room:
                return HEAVY.format(f"{sum(sizes) / 1e6:.0f}", whose, f"{room / 1e6:.0f}")
        return ""


async def _refuse(text: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer once the rest of the file has come: a browser that still sends never reads an answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(REST):
            while (await receive()).get("more_body"):
                pass
    await PlainTextResponse(text, status)(scope, receive, send)


def _with_boundary_alone(scope: Scope) -> Scope:
    """Return the request with a content type of nothing but its boundary: a parser that is told the charset of texts
    would decode a megabyte of punycode, in seconds."""
    boundary = _BOUNDARY.search(Headers(scope=scope).get("content-type", ""))
    content_type = f"multipart/form-data; boundary={boundary[1]}" if boundary else "multipart/form-data"
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-type"]
    return {**scope, "headers": [*headers, (b"content-type", content_type.encode())]}


def uploads() -> Mapping[str, Mapping[str, UploadedFileRec]]:
    """Return the files that Streamlit keeps, by session."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager.file_storage if isinstance(manager, MemoryUploadedFileManager) else {}


def _drop(session: str) -> None:
    runtime.get_instance().uploaded_file_mgr.remove_session_files(session)
