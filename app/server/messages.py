"""Messages over the websocket: limited, filtered and queued before Streamlit receives them.

A message that is too long is refused at its first frame. Others wait for their network's turn and are read in one
thread of their own, so that a long one never blocks the event loop, which serves everybody.
"""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from regard.app.input_validation.browser_messages import BrowserMessages, Heard
from regard.app.server.frames import BoundedSocket
from regard.app.server.turns import Budget, NetworkShare, NetworkShares
from regard.app.server.visitor import network
from regard.app.server.visits import Visits, browser, visits
from regard.model.input_error import InputError

RATE, BURST = 20.0, 100.0  # messages per second from one connection, and the most at once
BETWEEN = 0.3  # seconds between two runs of one connection while the first goes on: Streamlit starts a thread for each
RATE_OF_NETWORK, BURST_OF_NETWORK = 200.0, 1000.0  # the same for all connections of a network
TO_CONNECT = 20.0  # cost of a new connection to its network, in messages
WEIGHT = 10_000  # bytes that count as one more message
LONGEST_WAIT = 20.0  # seconds that a message waits for its budget, before the connection ends
SHORT = 2000  # bytes of a message that is read immediately
PROTOCOL_ERROR, GOING_AWAY, TRY_LATER = 1002, 1001, 1013  # codes for closing a websocket
TICK = 0.02  # seconds between two checks for the end of a run
RERUN = ForwardMsg.FINISHED_EARLY_FOR_RERUN  # the run continues with the messages received since
_NO_MESSAGE = b"\xff"  # stands for a text: Streamlit's messages are bytes

_reader = ThreadPoolExecutor(1, "browser_messages")


class Messages:
    """Pure ASGI middleware."""

    def __init__(self, app: ASGIApp, known: Visits = visits) -> None:
        self.app, self.known = app, known
        self.networks = NetworkShares(RATE_OF_NETWORK, BURST_OF_NETWORK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        name = network(scope)
        connection = Connection(receive, send, self.networks.get(name), self.known, browser(scope), name)
        wait = self.networks.get(name).budget.take(TO_CONNECT)
        if wait > LONGEST_WAIT:
            self.networks.get(name).budget.take(-TO_CONNECT)
            await WebSocketClose(TRY_LATER)(scope, receive, send)
            return
        await asyncio.sleep(wait)
        try:
            await self.app(self.known.claimed(scope), connection.heard, connection.said)
        finally:
            connection.end()


class Connection:
    """The messages between one browser and the server."""

    def __init__(
        self, receive: Receive, send: Send, network: NetworkShare, known: Visits, browser: bytes, name: str
    ) -> None:
        self.receive, self.send, self.network, self.known = receive, send, network, known
        self.browser, self.name, self.session = browser, name, ""
        self.budget, self.messages = Budget(RATE, BURST), BrowserMessages()
        self.began, self.gone = -BETWEEN, False
        ours = getattr(receive, "__self__", None)
        self.uvicorn = ours if isinstance(ours, WebSocketsSansIOProtocol) else None
        self.socket = BoundedSocket(self.uvicorn) if self.uvicorn else None

    async def heard(self) -> Message:
        """Return the next message of the browser, reduced to what our pages can send. An invalid message ends the
        connection."""
        while True:
            message = await self.receive()
            if self.socket:
                self.socket.read()  # the app has taken a message
            if self._is_over():
                return {"type": "websocket.disconnect", "code": GOING_AWAY}
            if message["type"] != "websocket.receive":
                return message
            try:
                heard = await self._read(message.get("bytes") or _NO_MESSAGE)
            except ValueError as error:
                return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR, "reason": str(error)}
            if heard.content:
                return {"type": "websocket.receive", "bytes": heard.content}

    def _is_over(self) -> bool:
        """Return True if the browser is gone, so that its messages no longer matter."""
        return self.gone or bool(self.uvicorn and self.uvicorn.transport.is_closing())

    async def _read(self, said: bytes) -> Heard:
        """Read a message on this connection's turn, which lasts until the run that the message requests is over."""
        cost = 1 + len(said) / WEIGHT
        wait = max(self.budget.take(cost), self.network.budget.take(cost))
        if wait > LONGEST_WAIT:
            raise InputError("more messages than any page sends")
        await asyncio.sleep(wait)
        if len(said) <= SHORT:
            heard = self.messages.fit(said)
            if heard.run:
                await self._begin()
            return heard
        runs = self.network.runs(self)
        await self._begin()
        heard = await asyncio.get_running_loop().run_in_executor(_reader, self.messages.fit, said)
        if not heard.run and not runs:
            self.network.end(self)
        return heard

    async def _begin(self) -> None:
        """Wait for a place; if a run is in progress, wait until it has had some time."""
        until = self.began + BETWEEN
        while self.network.runs(self) and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, TICK))
        await self.network.begin(self)
        self.began = time.monotonic()

    async def said(self, message: Message) -> None:
        """Send a server message, and learn from it which fields the browser may change and when a run is over."""
        if self.uvicorn and self.uvicorn.close_sent:
            self.gone = True  # uvicorn ended the connection; Streamlit still sends its remaining messages
            return
        if message["type"] == "websocket.send" and message.get("bytes"):
            said = ForwardMsg.FromString(message["bytes"])
            self.messages.said(said)
            kind = said.WhichOneof("type")
            if kind == "new_session":
                self.session = said.new_session.initialize.session_id
                self.known.connected(self.session, self.browser, self.name, self)
            elif kind == "script_finished" and said.script_finished != RERUN:
                self.network.end(self)
        try:
            await self.send(message)
        except OSError:  # the browser is gone; Streamlit would read on and fail with a traceback
            self.gone = True

    def end(self) -> None:
        self.network.end(self)
        self.known.left(self.session, self)
