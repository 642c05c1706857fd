"""Websocket visitor: a plain client that sends what a page would send, or what no page would.

It keeps the server's last page, so that it can find fields and components by their keys.
"""

import socket
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

PATIENCE = 120.0  # seconds for one answer
MESSAGE_BYTES = 64 * 2**20  # bytes of one message
AGAIN = ForwardMsg.FINISHED_EARLY_FOR_RERUN
TAKEN = 204  # the server's status for an accepted file
NO_TOKEN = "PLACEHOLDER_AUTH_TOKEN"  # sent by a page without a token


@dataclass
class Page:
    """The messages of one run of a page's script."""

    seconds: float = 0.0
    closed: bool = False  # True if the server ended the connection
    messages: list[ForwardMsg] = field(default_factory=list)

    @property
    def elements(self) -> list[Any]:
        return [m.delta.new_element for m in self.messages if m.delta.WhichOneof("type") == "new_element"]

    @property
    def exceptions(self) -> list[str]:
        """Return the error messages shown to the visitor."""
        shown = [element.exception for element in self.elements if element.WhichOneof("type") == "exception"]
        return [f"{error.type}: {error.message}" for error in shown]

    @property
    def components(self) -> list[Any]:
        return [element for element in self.elements if element.WhichOneof("type") == "bidi_component"]

    @property
    def text(self) -> str:
        return "\n".join(str(element) for element in self.elements)

    @property
    def words(self) -> str:
        """Return the text without the backslashes of Markdown and of quoted texts."""
        return self.text.replace("\\", "")

    def widgets(self) -> dict[str, str]:
        """Return the kind of each element that has a state, by the element's id."""
        found = {}
        for element in self.elements:
            kind = element.WhichOneof("type")
            shown = getattr(element, kind) if kind else None
            identity = getattr(shown, "id", "")
            if identity:
                found[identity] = kind
        return found


class WebsocketVisitor(AbstractContextManager["WebsocketVisitor"]):
    """One visit: a connection, and the session that Streamlit keeps for it.

    `session` and `cookie` resume a session that was cut off; `address` is the visitor's, as a proxy on this machine
    would forward it. `answers` counts the statuses of the files sent.
    """

    def __init__(self, url: str, origin: str = "", session: str = "", cookie: str = "", address: str = "") -> None:
        names = ["streamlit", NO_TOKEN, session] if session else ["streamlit"]
        self.cookie = cookie or _cookie_of(url)
        self._forwarded = {"X-Forwarded-For": address} if address else {}
        self._ended = ExitStack()
        self.connection: ClientConnection = self._ended.enter_context(
            connect(
                url.replace("http", "ws", 1) + "/_stcore/stream",
                subprotocols=[Subprotocol(name) for name in names],
                max_size=MESSAGE_BYTES,
                open_timeout=PATIENCE,
                max_queue=None,  # with a full queue of messages the server's farewell would not be heard
                compression=None,
                origin=Origin(origin) if origin else None,
                additional_headers={"Cookie": self.cookie} | self._forwarded,
            )
        )
        self.url, self.session = url, ""
        self.answers: Counter[int] = Counter()
        self._hashes: dict[str, str] = {}  # of screens, by address
        self._last = 0  # the last file's status
        self._files: dict[str, str] = {}  # the address that deletes each field's file

    def cut(self) -> None:
        """Cut the connection without closing the websocket."""
        self.connection.socket.shutdown(socket.SHUT_RDWR)

    def __exit__(self, *_: object) -> None:
        self._ended.close()

    def send(self, message: BackMsg | bytes | str) -> None:
        self.connection.send(message.SerializeToString() if isinstance(message, BackMsg) else message)

    def ask(self, screen: str, query: str = "", widgets: Iterable[WidgetState] = (), fragment: str = "") -> None:
        """Ask for a run of the page's script, and read nothing."""
        message = BackMsg()
        if screen in self._hashes:  # without the hash, Streamlit starts a new visit and ignores the fields
            message.rerun_script.page_script_hash = self._hashes[screen]
        else:
            message.rerun_script.page_name = screen
        message.rerun_script.query_string = query
        message.rerun_script.fragment_id = fragment
        message.rerun_script.widget_states.widgets.extend(widgets)
        self.send(message)

    def run(self, screen: str, query: str = "", widgets: Iterable[WidgetState] = (), fragment: str = "") -> Page:
        """Run the page's script and read its messages until it has finished."""
        began = time.perf_counter()
        page = Page()
        try:
            self.ask(screen, query, widgets, fragment)
            self._read(page)
        except ConnectionClosed:
            page.closed = True
        page.seconds = time.perf_counter() - began
        return page

    def upload(self, field: str, name: str, content: bytes) -> WidgetState:
        """Upload a field's file in place of an earlier one; return the state that a browser sends after that."""
        if field in self._files:
            self._request("DELETE", self._files.pop(field))
        asked = BackMsg()
        asked.file_urls_request.request_id = name[:100]
        asked.file_urls_request.file_names.append(name[:100])
        asked.file_urls_request.session_id = self.session
        self.send(asked)
        while (said := ForwardMsg.FromString(self.connection.recv(PATIENCE, decode=False))).WhichOneof(
            "type"
        ) != "file_urls_response":
            pass
        urls = said.file_urls_response.file_urls[0]
        state = WidgetState(id=field)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = urls.file_id, name, len(content)
        info.file_urls.CopyFrom(urls)
        self._last = self._put(urls.upload_url, name, content)
        self.answers[self._last] += 1
        self._files[field] = urls.delete_url
        return state

    @property
    def arrived(self) -> bool:
        """Return True if the last file, if any, was accepted."""
        return self._last in (0, TAKEN)

    def _put(self, path: str, name: str, content: bytes) -> int:
        quoted = "".join(letter if letter.isalnum() or letter in " ._-" else "_" for letter in name)
        head = f'--part\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\n\r\n'
        return self._request("PUT", path, head.encode() + content + b"\r\n--part--\r\n")

    def _request(self, method: str, path: str, body: bytes | None = None) -> int:
        """Send a request and return the status of its response."""
        headers = {
            "Content-Type": "multipart/form-data; boundary=part",
            "Cookie": self.cookie,
            "X-Xsrftoken": self.cookie.partition("=")[2],
        }
        request = urllib.request.Request(f"{self.url}{path}", body, headers | self._forwarded, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as refused:
            return refused.code

    def _read(self, page: Page) -> None:
        while True:
            said = ForwardMsg.FromString(self.connection.recv(PATIENCE, decode=False))
            page.messages.append(said)
            if said.WhichOneof("type") == "new_session":
                self.session = said.new_session.initialize.session_id
            if said.WhichOneof("type") == "navigation":
                self._hashes |= {page.url_pathname: page.page_script_hash for page in said.navigation.app_pages}
            if said.WhichOneof("type") == "script_finished" and said.script_finished != AGAIN:
                return


def _cookie_of(url: str) -> str:
    """Return the cookie that the server sets before a connection is opened."""
    with urllib.request.urlopen(f"{url}/_stcore/health", timeout=PATIENCE) as answer:
        return (answer.headers["Set-Cookie"] or "").split(";")[0]
