"""What a visitor's browser may ask of the server beside the page: some messages, and as many uploads as fields.

Streamlit itself lets any visitor clear the caches of all, and keeps whatever is uploaded until the visit is over.
"""

import re
from collections.abc import Callable, Mapping

from google.protobuf.message import DecodeError
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

HEARD = {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"}
UPLOADS, UPLOADS_OF_ALL = 4, 40  # files that are kept at once: two fields, and what is about to take their place
TOO_MANY = 429  # what HTTP answers
FULL = "{} files of {} are kept here already; up to {} are. Remove one, or try again later."

_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")


class Limits:
    """Pure ASGI middleware."""

    def __init__(self, app: ASGIApp, kept: Callable[[], Mapping[str, Mapping[str, object]]] | None = None) -> None:
        self.app = app
        self.kept = kept or uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.app(scope, _heard(receive), send)
            return
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        refused = self._refusal(*upload.groups()) if upload else ""
        if refused:
            await PlainTextResponse(refused, TOO_MANY)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _refusal(self, session: str, file: str) -> str:
        """Why an upload is not taken; "" where it is."""
        kept = self.kept()
        own, every = len(set(kept.get(session, ())) - {file}), sum(map(len, list(kept.values())))
        if own >= UPLOADS:
            return FULL.format(own, "yours", UPLOADS)
        return FULL.format(every, "all visitors", UPLOADS_OF_ALL) if every >= UPLOADS_OF_ALL else ""


def uploads() -> Mapping[str, Mapping[str, object]]:
    """The files that Streamlit keeps, by session."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager.file_storage if isinstance(manager, MemoryUploadedFileManager) else {}


def _heard(receive: Receive) -> Receive:
    """What the browser says, without what no page of ours makes it say."""

    async def heard() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive" or _kind(message.get("bytes") or b"") in HEARD:
                return message

    return heard


def _kind(said: bytes) -> str:
    """The kind of a message; of one that cannot be read that which Streamlit will refuse."""
    message = BackMsg()
    try:
        message.ParseFromString(said)
    except DecodeError:
        return "rerun_script"
    return message.WhichOneof("type") or ""
