"""Messages over the websocket: those that our pages send, in turn, and nothing else, reach Streamlit.

Streamlit lets any visitor clear everybody's caches, or install files beside the app. What a message says of its own
page is not checked here: a wrong value breaks the page of the one who sent it (`error_boundary`).

`Turns` is one round over all visitors, so that whoever has just been served waits behind those who have not. The pages'
scripts compute on one interpreter, so few run at a time. A *place* is held while a message is read and the script runs;
the next one goes to the network that was served longest ago, and within a network to the connection that was. A network
has one place while others are served and never all places, so somebody new finds one at once.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from regard.app.server.connections import BoundedSocket
from regard.app.server.visits import Visits, browser, network, visits

ACCEPTED = {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"}
OPERATIONS = {"deferred_file", "dataframe_chunk"}  # kinds of the last; the others write files on the server
SHORT = 2000  # bytes of a message that is read before its turn
PROTOCOL_ERROR, GOING_AWAY = 1002, 1001  # codes for closing a websocket
BETWEEN = 0.3  # seconds between two runs of one connection while the first goes on: Streamlit would begin each anew
TICK = 0.02  # seconds between two checks for the end of a run
PLACES = 3  # runs at a time: Python computes one, PyTorch another, and one is free for whoever comes
OF_ONE = 2  # of one network, or 1 while another was served lately
LATELY = 5.0  # seconds after the start of a run for which its network counts as served
HOLD = 2.0  # seconds after which a long run gives its place back
REMEMBERED = 10_000  # networks and connections whose last turn is remembered
RERUN = ForwardMsg.FINISHED_EARLY_FOR_RERUN  # the run continues with the messages received since


class Turns:
    """The connections that run and those that wait."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._running: dict[object, tuple[str, asyncio.TimerHandle]] = {}
        self._waiting: dict[object, tuple[str, asyncio.Future[None]]] = {}
        self._served: OrderedDict[object, float] = OrderedDict()  # when each (network,) and connection last began

    def runs(self, connection: object) -> bool:
        """Return True while this connection has a place."""
        return connection in self._running

    async def begin(self, connection: object, network: str) -> None:
        """Wait for a place; a connection that has one keeps it."""
        if connection in self._running:
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting[connection] = network, turn
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            self.end(connection)
            raise

    def end(self, connection: object) -> None:
        """Give the place back, or leave the line, and admit the next."""
        if (running := self._running.pop(connection, None)) is not None:
            running[1].cancel()
        self._waiting.pop(connection, None)
        self._admit()

    def _admit(self) -> None:
        while len(self._running) < PLACES:
            waiting = self._waiting
            ready = [one for one, (network, turn) in waiting.items() if not turn.done() and self._has_room(network)]
            if not ready:
                return
            connection = min(ready, key=lambda one: (self._last((waiting[one][0],)), self._last(one)))
            network, turn = waiting.pop(connection)
            self._running[connection] = network, asyncio.get_running_loop().call_later(HOLD, self.end, connection)
            for served in ((network,), connection):
                self._served[served] = self.clock()
                self._served.move_to_end(served)
            while len(self._served) > REMEMBERED:
                self._served.popitem(last=False)
            turn.set_result(None)

    def _last(self, served: object) -> float:
        return self._served.get(served, -LATELY)

    def _has_room(self, network: str) -> bool:
        """Return True if this network may run one more."""
        running = sum(where == network for where, _ in self._running.values())
        if running == 0:
            return True
        others = (one for one in reversed(self._served) if isinstance(one, tuple) and one != (network,))
        alone = self.clock() - self._last(next(others, None)) >= LATELY
        return alone and running < OF_ONE


class Messages:
    """Pure ASGI middleware."""

    def __init__(self, app: ASGIApp, known: Visits = visits) -> None:
        self.app, self.known, self.turns = app, known, Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        connection = Connection(receive, send, self.turns, self.known, browser(scope), network(scope))
        try:
            await self.app(self.known.claimed(scope), connection.receive, connection.send)
        finally:
            connection.end()


class Connection:
    """The messages between one browser and the server."""

    def __init__(self, receive: Receive, send: Send, turns: Turns, known: Visits, browser: bytes, network: str) -> None:
        self._receive, self._send, self.turns, self.known = receive, send, turns, known
        self.browser, self.network, self.session = browser, network, ""
        self.began, self.gone, self.drawn = -BETWEEN, False, False
        ours = getattr(receive, "__self__", None)
        self.socket = BoundedSocket(ours) if isinstance(ours, WebSocketsSansIOProtocol) else None

    async def receive(self) -> Message:
        """Return the browser's next message that our pages can send; one that is no message ends the connection."""
        while True:
            message = await self._receive()
            if self.socket:
                self.socket.read()  # the app has taken a message
            if self.gone or (self.socket and self.socket.uvicorn.transport.is_closing()):
                return {"type": "websocket.disconnect", "code": GOING_AWAY}
            if message["type"] != "websocket.receive":
                return message
            try:
                content = await self._read(message.get("bytes") or b"\xff")  # a text is no message
            except DecodeError:
                return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}
            if content:
                return {"type": "websocket.receive", "bytes": content}

    async def _read(self, content: bytes) -> bytes:
        """Read a message: a long one, and one that runs the page, on this connection's turn, which lasts until the run
        is over."""
        long, runs = len(content) > SHORT, self.turns.runs(self)
        if long:
            await self._begin()
        kind, accepted = accepted_part(content, whole=not self.drawn)
        self.drawn = self.drawn or kind == "rerun_script"
        if kind == "rerun_script" and not long:
            await self._begin()
        elif kind != "rerun_script" and not runs:
            self.turns.end(self)
        return accepted

    async def _begin(self) -> None:
        """Wait for a place; if a run is in progress, wait until it has had some time."""
        until = self.began + BETWEEN
        while self.turns.runs(self) and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, TICK))
        await self.turns.begin(self, self.network)
        self.began = time.monotonic()

    async def send(self, message: Message) -> None:
        """Send a server message, and learn from it which visit this is and when a run is over."""
        if self.socket and self.socket.uvicorn.close_sent:
            self.gone = True  # uvicorn ended the connection; Streamlit still sends its remaining messages
            return
        if message["type"] == "websocket.send" and message.get("bytes"):
            content = ForwardMsg.FromString(message["bytes"])
            kind = content.WhichOneof("type")
            if kind == "new_session":
                self.session = content.new_session.initialize.session_id
                self.known.connected(self.session, self.browser, self.network, self)
            elif kind == "script_finished" and content.script_finished != RERUN:
                self.turns.end(self)
        try:
            await self._send(message)
        except OSError:  # the browser is gone; Streamlit would read on and fail with a traceback
            self.gone = True

    def end(self) -> None:
        self.turns.end(self)
        self.known.left(self.session, self)


def accepted_part(content: bytes, whole: bool = False) -> tuple[str, bytes]:
    """Return the kind of a message and what Streamlit gets of it: b"" for a kind that no page of ours sends.

    `whole` runs the whole page even if a fragment is asked for: a page that another server drew names fragments that
    this one does not know. Raises DecodeError for bytes that are not a message."""
    message = BackMsg.FromString(content)
    kind = message.WhichOneof("type") or ""
    operation = message.backend_operation_request.WhichOneof("payload")
    if kind not in ACCEPTED or (kind == "backend_operation_request" and operation not in OPERATIONS):
        return kind, b""
    if kind != "rerun_script" or not whole:
        return kind, content
    message.rerun_script.ClearField("fragment_id")
    return kind, message.SerializeToString()
