"""Load visitor: sends what a browser would send, over a real websocket; many fit in one process.

It draws nothing, but keeps what a browser needs for its next request: the widgets by their labels, the screens'
addresses, the hashes of cached messages, and the proxy's cookie, so that it reaches the same replica each time.
"""

import asyncio
import json
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from benchmarks.websocket_visitor import NO_TOKEN

SENTENCE = "sentence"  # the field's key, part of its id
STEPPER = "stepper"
START = "Start"
PATIENCE = 60.0  # seconds for one answer
DONE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class VisitError(RuntimeError):
    """The server reported an error, or showed something other than what was requested."""


@dataclass(frozen=True)
class Answer:
    """The answer to one message: seconds until the end of the run, and what was received meanwhile."""

    seconds: float
    received: int  # bytes
    texts: str  # all text shown


@dataclass
class LoadVisitor:
    """One session; `url` is the server's, without a path."""

    url: str
    socket: ClientConnection | None = None
    query: str = ""
    page: str = ""  # Streamlit's hash of the screen
    screens: dict[str, str] = field(default_factory=dict)  # hashes, by address
    elements: dict[str, tuple[str, str]] = field(default_factory=dict)  # id and fragment, by kind and label
    values: dict[str, str] = field(default_factory=dict)  # of text fields, by id
    held: dict[str, None] = field(default_factory=dict)  # hashes of cached messages, which the server need not repeat
    cookie: str = ""
    session: str = ""  # Streamlit's id

    async def arrive(self, link: Mapping[str, str] | None = None) -> Answer:
        """Open the page; a proxy's cookie is sent along from then on."""
        began = time.perf_counter()
        self.query = urlencode(link or {})
        self.elements, self.values, self.held, self.page, self.session = {}, {}, {}, "", ""
        if not self.cookie:
            self.cookie = await asyncio.to_thread(_cookie_of, self.url)
        await self.connect()
        answer = await self._ask()
        return Answer(time.perf_counter() - began, answer.received, answer.texts)

    async def connect(self) -> None:
        """Open the websocket and name the earlier session, as a page does that lost its connection."""
        parts = urlsplit(self.url)
        address = parts._replace(scheme="wss" if parts.scheme == "https" else "ws", path="/_stcore/stream").geturl()
        with _cut_off():
            self.socket = await connect(
                address,
                subprotocols=[Subprotocol(name) for name in ("streamlit", NO_TOKEN, self.session) if name],
                additional_headers={"Cookie": self.cookie} if self.cookie else None,
                max_size=None,
                open_timeout=PATIENCE,
            )

    async def leave(self) -> None:
        if self.socket:
            await self.socket.close()

    async def translate(self, sentence: str) -> Answer:
        """Type a sentence into the field and wait for its translation."""
        name, fragment = self._element("text_input", SENTENCE)
        self.values[name] = sentence
        answer = await self._ask(fragment=fragment)
        self.query = urlencode({"sentence": sentence})
        return answer

    async def open_number(self, step: int = 1) -> Answer:
        """Click on the first weight of a step of the translation."""
        quantity = {"trace": 0, "kind": "weight", "step": step, "position": 0, "nonce": time.perf_counter_ns()}
        return await self.tell(inspect=quantity)

    async def tell(self, **events: object) -> Answer:
        """Send the stepper's messages by name; a busy page sends several in one request."""
        name, fragment = self._element("bidi_component", STEPPER)
        said = json.dumps([{"event": event, "value": value} for event, value in events.items()])
        trigger = WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{name}__events", json_trigger_value=said)
        return await self._ask(trigger, fragment)

    async def press(self, label: str) -> Answer:
        """Press the button with this label."""
        name, fragment = self._element("button", label)
        return await self._ask(WidgetState(id=name, trigger_value=True), fragment)

    async def go(self, screen: str) -> Answer:
        """Go to another screen by its address; the visit's question is kept."""
        self.page = self.screens[screen]
        self.query = ""
        self.elements = {}
        return await self._ask()

    def _element(self, kind: str, label: str) -> tuple[str, str]:
        try:
            return self.elements[f"{kind} {label}"]
        except KeyError as error:
            raise VisitError(f"there is no {kind} {label!r} on the page") from error

    async def _ask(self, trigger: WidgetState | None = None, fragment: str = "") -> Answer:
        if self.socket is None:
            raise VisitError("the visitor has not arrived yet")
        state = ClientState(query_string=self.query, page_script_hash=self.page, fragment_id=fragment)
        state.cached_message_hashes.extend(self.held)
        state.widget_states.widgets.extend(
            WidgetState(id=name, string_value=value) for name, value in self.values.items()
        )
        if trigger is not None:
            state.widget_states.widgets.append(trigger)
        began = time.perf_counter()
        with _cut_off():
            await self.socket.send(BackMsg(rerun_script=state).SerializeToString())
            async with asyncio.timeout(PATIENCE):
                received, texts = await self._listen(self.socket)
        return Answer(time.perf_counter() - began, received, texts)

    async def _listen(self, socket: ClientConnection) -> tuple[int, str]:
        """Read until the run has ended; return the bytes received and the text shown."""
        received, texts = 0, []
        while True:
            data = await socket.recv(decode=False)
            received += len(data)
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.session = message.new_session.initialize.session_id or self.session
            elif kind == "navigation":
                self.screens |= {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
                self.page = message.navigation.page_script_hash
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                self._see(message)
                texts += _texts(message.delta.new_element)
            elif kind == "script_finished" and message.script_finished in DONE:
                return received, "\n".join(texts)
            elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                raise VisitError("the page's script is broken")

    def _see(self, message: ForwardMsg) -> None:
        if message.metadata.cacheable:
            self.held[message.hash] = None
            while len(self.held) > 8:
                del self.held[next(iter(self.held))]
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise VisitError(element.exception.message or element.exception.type)
        for label in _labels(element):
            self.elements[f"{kind} {label}"] = _identity(element), message.delta.fragment_id


@contextmanager
def _cut_off() -> Iterator[None]:
    """Raise ConnectionError when the connection is closed, or refused by a proxy."""
    try:
        yield
    except WebSocketException as error:
        raise ConnectionError(str(error)) from error


def _identity(element: Element) -> str:
    return getattr(element, element.WhichOneof("type") or "").id


def _labels(element: Element) -> Iterator[str]:
    """Yield the name a widget is found by: the key in its id, or its label."""
    match element.WhichOneof("type"):
        case "text_input":
            yield element.text_input.id.rpartition("-")[2]
        case "button":
            yield element.button.label
        case "bidi_component":
            yield element.bidi_component.id.rpartition("-")[2]
        case "button_group":
            yield "-".join(element.button_group.id.split("-")[-2:])


def _texts(element: Element) -> list[str]:
    kind = element.WhichOneof("type") or ""
    return [getattr(element, kind).body] if kind in ("html", "markdown", "alert", "toast") else []


def _cookie_of(url: str) -> str:
    """Return the cookies that the page's response sets."""
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        given = SimpleCookie()
        for header in answer.headers.get_all("Set-Cookie") or []:
            given.load(header)
    return "; ".join(f"{name}={morsel.value}" for name, morsel in given.items())
