import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from regard.app.server import connections
from regard.app.server.connections import BURST, HALF_OPEN, MESSAGE_BYTES, BoundedSocket, Budget, HalfOpen
from tests.support.event_loop import run_coroutine

Visit = Callable[[ClientConnection, list[bytes]], Awaitable[None]]


@asynccontextmanager
async def connected(received: list[bytes]) -> AsyncIterator[ClientConnection]:
    """Connect to a server whose app notes the messages that it receives."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        socket = BoundedSocket(receive.__self__)  # pyright: ignore[reportFunctionMemberAccess]
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            socket.read()
            received.append(message["bytes"])

    server = uvicorn.Server(
        uvicorn.Config(
            app, port=0, ws="websockets-sansio", lifespan="off", log_config=None, timeout_graceful_shutdown=1
        )
    )
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with connect(f"ws://127.0.0.1:{port}", compression=None, max_size=None, ping_interval=None) as connection:
        yield connection
    server.should_exit = True
    await serving


def visited(visit: Visit) -> list[bytes]:
    received: list[bytes] = []

    async def begin() -> None:
        async with asyncio.timeout(20), connected(received) as connection:
            await visit(connection, received)

    run_coroutine(begin())
    return received


def written(opcode: Opcode, data: bytes = b"", fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True, extensions=[])


async def send(connection: ClientConnection, data: bytes) -> None:
    """Write bytes to the socket as they are."""
    connection.transport.write(data)
    await asyncio.sleep(0)


def test_a_connection_that_brings_more_bytes_than_any_page_is_read_slowly() -> None:
    async def visit(connection: ClientConnection, received: list[bytes]) -> None:
        await send(connection, written(Opcode.BINARY, b"a" * 50_000) * 200)
        await asyncio.sleep(1.5)
        connection.transport.abort()

    assert len(visited(visit)) <= (BURST + 2 * connections.RATE) / 11


def test_a_page_is_read_in_full() -> None:
    messages = [b"a" * size for size in (1, 200, 20_000, 300_000)] * 2

    async def visit(connection: ClientConnection, received: list[bytes]) -> None:
        for message in messages:
            await connection.send(message)
        await connection.send([b"b" * 10_000] * 20)  # in 20 frames
        await connection.send(b"c" * MESSAGE_BYTES)
        while len(received) < len(messages) + 2:
            await asyncio.sleep(0.01)

    assert [len(message) for message in visited(visit)] == [*map(len, messages), 200_000, MESSAGE_BYTES]


@pytest.mark.parametrize(
    ("begun", "patience", "told"),
    [
        pytest.param(written(Opcode.BINARY, b"a", fin=False), 0.1, connections.TOO_SLOW, id="message"),
        pytest.param(written(Opcode.BINARY, b"a" * 1000)[:500], 0.1, connections.TOO_SLOW, id="frame"),
        pytest.param(written(Opcode.BINARY)[:3], 0.1, connections.TOO_SLOW, id="header"),
        pytest.param(written(Opcode.BINARY, b"a" * (MESSAGE_BYTES + 1))[:100], 20.0, "1009", id="too long"),
    ],
)
def test_a_message_that_is_not_finished_or_too_long_from_its_first_frame_on_ends_the_connection(
    begun: bytes, patience: float, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNFINISHED", patience)

    async def visit(connection: ClientConnection, received: list[bytes]) -> None:
        await send(connection, begun)
        with pytest.raises(ConnectionClosed, match=told):
            await connection.recv()

    assert visited(visit) == []


class Held:
    """One of uvicorn's HTTP connections."""

    def __init__(self, address: str, cycle: object = None, keep_alive: object = None) -> None:
        self.client, self.cycle, self.timeout_keep_alive_task = (address, 1), cycle, keep_alive
        self.transport, self.closed = self, False

    def close(self) -> None:
        self.closed = True


def test_requests_that_never_end_are_closed_after_a_while_or_when_a_network_has_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    half = HalfOpen(lambda *_: pytest.fail("asked"))  # type: ignore[arg-type, return-value]
    answering = SimpleNamespace(response_complete=False)
    busy = [Held("203.0.113.7", answering), Held("203.0.113.7", SimpleNamespace(response_complete=True), object())]
    many = [Held("203.0.113.7") for _ in range(HALF_OPEN + 20)]
    few, here = [Held("198.51.100.9") for _ in range(20)], [Held("127.0.0.1") for _ in range(200)]
    half.close([*busy, *many, *few, *here])
    assert [one.closed for one in many] == [False] * HALF_OPEN + [True] * 20
    assert not any(one.closed for one in (*busy, *few, *here))
    monkeypatch.setattr(connections, "UNFINISHED", -1.0)
    half.close([*busy, *few, *here])
    assert all(one.closed for one in (*few, *here))
    assert not any(one.closed for one in busy)


def test_a_budget_lets_a_burst_through_and_then_its_rate() -> None:
    now = 0.0
    budget = Budget(rate=2.0, burst=4.0, clock=lambda: now)
    assert [budget.take(1) for _ in range(6)] == [0, 0, 0, 0, 0.5, 1.0]
    now = 10.0
    assert budget.take(4) == 0
    assert budget.take(1) == 0.5
