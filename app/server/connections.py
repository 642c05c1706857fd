"""Connections: what a socket may bring, and how long it may bring nothing, before anything parses it.

uvicorn parses at once whatever has arrived on a websocket, up to 256 kB, and answers pings by itself: a flood of frames
of four bytes starves everybody and reaches no code of the app. Here uvicorn gets the bytes in slices. Each frame costs,
and a page's connection has far more to spend than a page needs: beyond that its socket is not read for a while.
Messages and requests that begin and never end are closed, for each holds memory and a descriptor.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame, Opcode

from regard.app.server.visits import network

MESSAGE_BYTES = 2**20  # of a message, usually some thousands; `maxMessageSize` limits what the server sends
RATE, BURST = 50.0, 300.0  # frames a second, and the most at once
BYTES = 5000  # that cost as much as one more frame
SLICE = 2**11  # bytes that are parsed at once: of pings, the cost of 300
UNFINISHED = 20.0  # seconds within which a message must be complete, or a request have begun
HALF_OPEN = 100  # connections of one network that have not sent a whole request
SWEEP = 1.0  # seconds between two looks at them
DESCRIPTORS = 2**16  # that the server asks for at its start; systems often give 1,024 at first
TOO_SLOW = "a message came too slowly"


@dataclass
class Budget:
    """A token bucket: `burst` at once, then `rate` a second. Taking more than there is leaves a debt to wait for."""

    rate: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: float = field(init=False)
    _when: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._when = self.burst, self.clock()

    def take(self, cost: float) -> float:
        """Take `cost` from the bucket and return how many seconds to wait."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._when) * self.rate) - cost
        self._when = now
        return max(0.0, -self._left / self.rate)


class BoundedSocket(asyncio.Protocol):
    """The protocol of a connection, in place of uvicorn's, which it hands slices of the bytes that arrive."""

    def __init__(self, uvicorn: WebSocketsSansIOProtocol) -> None:
        self.uvicorn, self.budget = uvicorn, Budget(RATE, BURST)
        self._waiting = bytearray()
        self._owed = 0.0  # seconds
        self._incomplete = False  # a message of several frames, of which the last has not come
        self._pause: asyncio.TimerHandle | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._receive_frame = uvicorn.conn.recv_frame
        uvicorn.conn.recv_frame = self._counted  # pyright: ignore[reportAttributeAccessIssue]
        uvicorn.conn.max_message_size = MESSAGE_BYTES
        self.eof_received, self.pause_writing = uvicorn.eof_received, uvicorn.pause_writing
        self.resume_writing = uvicorn.resume_writing
        uvicorn.transport.set_protocol(self)

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        self.read()

    def read(self) -> None:
        """Hand over what has arrived, as far as the app has taken the messages before it and the budget allows."""
        uvicorn, transport = self.uvicorn, self.uvicorn.transport
        while self._waiting and not (self._pause or uvicorn.read_paused or transport.is_closing()):
            uvicorn.data_received(bytes(self._waiting[:SLICE]))
            del self._waiting[:SLICE]
            if self._owed > 0:
                self._pause = uvicorn.loop.call_later(self._owed, self._go_on)
        self._watch(self._incomplete or bool(uvicorn.conn.reader.buffer))
        if transport.is_closing():
            self._waiting.clear()
        elif self._waiting or self._pause:
            transport.pause_reading()
        elif not uvicorn.read_paused:
            transport.resume_reading()

    def _go_on(self) -> None:
        self._pause = None
        self.read()

    def _counted(self, frame: Frame) -> None:
        """Count a frame, and hand it over."""
        self._owed = self.budget.take(1 + len(frame.data) / BYTES)
        if frame.opcode in (Opcode.BINARY, Opcode.TEXT, Opcode.CONT):
            self._incomplete = not frame.fin
        self._receive_frame(frame)

    def _watch(self, unfinished: bool) -> None:
        """Give a message that has begun a deadline, and keep it until it is complete."""
        if unfinished and self._deadline is None:
            self._deadline = self.uvicorn.loop.call_later(UNFINISHED, self._give_up)
        elif self._deadline is not None and not unfinished:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if not self.uvicorn.transport.is_closing():
            self.uvicorn.conn.fail(CloseCode.POLICY_VIOLATION, TOO_SLOW)
            self.uvicorn.handle_parser_exception()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._pause, self._deadline):
            if timer is not None:
                timer.cancel()
        self.uvicorn.connection_lost(exc)


class HalfOpen:
    """Pure ASGI middleware: closes connections whose request does not come, which no request reaches."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._since: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        self._sweeping: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._sweeping is None and (connections := _connections(receive)) is not None:
            self._sweeping = asyncio.create_task(self._sweep(connections))
        await self.app(scope, receive, send)

    async def _sweep(self, connections: Collection[Any]) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.close([*connections])

    def close(self, connections: Collection[Any]) -> None:
        """Close those that wait for too long, and of a network that has too many the latest."""
        now, of_network = time.monotonic(), Counter[str]()
        waiting = [one for one in connections if _is_waiting(one)]
        since = {one: self._since.get(one, now) for one in waiting}
        self._since = WeakKeyDictionary(since)
        for one in sorted(waiting, key=since.__getitem__):
            where = network({"client": one.client})
            of_network[where] += 1
            if now - since[one] > UNFINISHED or (where and of_network[where] > HALF_OPEN):
                one.transport.close()


def _connections(receive: Receive) -> Collection[Any] | None:
    """Return all connections of the uvicorn server that runs this request, or None under another server."""
    cycle: Any = getattr(receive, "__self__", None)
    protocol = cycle.transport.get_protocol() if hasattr(cycle, "transport") else None
    return getattr(getattr(protocol, "uvicorn", protocol), "connections", None)


def _is_waiting(connection: Any) -> bool:
    """Return True for one of uvicorn's HTTP connections that has begun no request, or none after its last answer."""
    if not hasattr(connection, "cycle") or connection.timeout_keep_alive_task is not None:
        return False  # a websocket, or one that uvicorn itself closes after some seconds
    return connection.cycle is None or connection.cycle.response_complete


def raise_descriptors() -> None:
    """Let this process have as many open connections as the system allows, up to DESCRIPTORS."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
