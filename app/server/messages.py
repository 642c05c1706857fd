"""Messages over the websocket: what a browser says is bounded, made fit and given its turn before Streamlit hears it.

A message that is too long is refused at its first frame. Others wait for their network's turn and are read in one
thread of their own, so that the event loop, which serves everybody, never reads a long one.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from regard.app.input_validation.browser_messages import LONGEST, BrowserMessages, Heard
from regard.app.server.turns import Budget, Network, Networks
from regard.app.server.visitor import network
from regard.app.server.visits import Visits, browser, visits
from regard.model.input_error import InputError

RATE, BURST = 20.0, 100.0  # messages a second of one connection, and how many at once
RATE_OF_NETWORK, BURST_OF_NETWORK = 200.0, 1000.0  # those of all its connections
TO_CONNECT = 5.0  # messages that a connection costs its network
WEIGHT = 10_000  # bytes that count as one more message
LONGEST_WAIT = 20.0  # seconds that a message waits for its budget, before the connection ends
SHORT = 2000  # bytes of a message that is read at once
PROTOCOL_ERROR = 1002  # what a websocket is closed with
RERUN = ForwardMsg.FINISHED_EARLY_FOR_RERUN  # the run goes on with what was said since
_NO_MESSAGE = b"\xff"  # of a text: Streamlit's messages are bytes

_reader = ThreadPoolExecutor(1, "browser_messages")


class Messages:
    """Pure ASGI middleware."""

    def __init__(self, app: ASGIApp, known: Visits = visits) -> None:
        self.app, self.known = app, known
        self.networks = Networks(RATE_OF_NETWORK, BURST_OF_NETWORK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        _bound_frames(receive)
        name = network(scope)
        connection = Connection(receive, send, self.networks.get(name), self.known, browser(scope), name)
        try:
            await self.app(self.known.claimed(scope), connection.heard, connection.said)
        finally:
            connection.end()


class Connection:
    """What one browser and the server say to each other."""

    def __init__(
        self, receive: Receive, send: Send, network: Network, known: Visits, browser: bytes, name: str
    ) -> None:
        self.receive, self.send, self.network, self.known = receive, send, network, known
        self.browser, self.name, self.session = browser, name, ""
        self.budget, self.messages = Budget(RATE, BURST), BrowserMessages()

    async def heard(self) -> Message:
        """Return what the browser says, as far as a page of ours makes it say that.

        What is no message ends the connection.
        """
        while True:
            message = await self.receive()
            if message["type"] == "websocket.connect":
                await asyncio.sleep(self.network.budget.take(TO_CONNECT))
            if message["type"] != "websocket.receive":
                return message
            try:
                heard = await self._read(message.get("bytes") or _NO_MESSAGE)
            except ValueError as error:
                return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR, "reason": str(error)}
            if heard.content:
                return {"type": "websocket.receive", "bytes": heard.content}

    async def _read(self, said: bytes) -> Heard:
        """Read a message when it is this connection's turn, which lasts until the run that it asks for is over."""
        cost = 1 + len(said) / WEIGHT
        wait = max(self.budget.take(cost), self.network.budget.take(cost))
        if wait > LONGEST_WAIT:
            raise InputError("more messages than any page sends")
        await asyncio.sleep(wait)
        if len(said) <= SHORT:
            heard = self.messages.fit(said)
            if heard.run:
                await self.network.begin(self)
            return heard
        runs = self.network.runs(self)
        await self.network.begin(self)
        heard = await asyncio.get_running_loop().run_in_executor(_reader, self.messages.fit, said)
        if not heard.run and not runs:
            self.network.end(self)
        return heard

    async def said(self, message: Message) -> None:
        """Send what the server says, which tells what the browser may change and when a run is over."""
        if message["type"] == "websocket.send" and message.get("bytes"):
            said = ForwardMsg.FromString(message["bytes"])
            self.messages.said(said)
            kind = said.WhichOneof("type")
            if kind == "new_session":
                self.session = said.new_session.initialize.session_id
                self.known.connected(self.session, self.browser, self.name, self)
            elif kind == "script_finished" and said.script_finished != RERUN:
                self.network.end(self)
        await self.send(message)

    def end(self) -> None:
        self.network.end(self)
        self.known.left(self.session, self)


def _bound_frames(receive: Receive) -> None:
    """Have uvicorn refuse a message that is too long at its first frame, and not hold 20 MB of it first.

    Streamlit has one setting for both directions, and pages may be longer than what a browser says.
    """
    connection = getattr(receive, "__self__", None)
    if isinstance(connection, WebSocketsSansIOProtocol):
        connection.conn.max_message_size = LONGEST
