import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from regard.app.server import messages
from regard.app.server.messages import LATELY, PLACES, Messages, Turns
from regard.app.server.visits import Visits
from tests.support.event_loop import messages_of, run_coroutine

CONNECT: Message = {"type": "websocket.connect"}
LEAVE: Message = {"type": "websocket.disconnect", "code": 1000}


def heard(*said: bytes) -> list[bytes]:
    """Return what of it reaches Streamlit."""
    found: list[bytes] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            found.extend([message["bytes"]] if "bytes" in message else [])

    incoming = iter([CONNECT, *({"type": "websocket.receive", "bytes": each} for each in said), LEAVE])

    async def receive() -> Message:
        return next(incoming)

    scope = {"type": "websocket", "headers": [], "client": ("203.0.113.7", 1)}
    run_coroutine(messages_of(Messages(app, Visits()), scope, receive))
    return found


def rerun(query: str = "sentence=a") -> bytes:
    message = BackMsg()
    message.rerun_script.query_string = query
    return message.SerializeToString()


def test_a_visitor_cannot_clear_the_caches_of_all() -> None:
    assert heard(BackMsg(clear_cache=True).SerializeToString(), rerun()) == [rerun()]


@pytest.mark.parametrize(
    "said",
    [{"set_run_on_save": True}, {"load_git_info": True}, {"backend_operation_request": {}}],  # writes files
)
def test_what_no_page_asks_for_is_not_heard(said: dict[str, Any]) -> None:
    message = BackMsg(**said).SerializeToString()
    assert message
    assert heard(message) == []


def test_one_who_speaks_another_protocol_is_not_heard_further() -> None:
    for said in (b"\xff\xff\xff", b""):
        assert heard(rerun(), said, rerun()) == [rerun()]


async def order(line: Turns, *asked: tuple[str, str]) -> list[str]:
    """Have connections of networks ask at once, each for a short run; return them in the order of service."""
    served: list[str] = []

    async def visit(connection: str, network: str) -> None:
        await line.begin(connection, network)
        served.append(connection)
        await asyncio.sleep(0.001)
        line.end(connection)

    await asyncio.gather(*(visit(*one) for one in asked))
    return served


@pytest.mark.parametrize("networks", [1, 10, 20])
def test_one_who_was_not_served_lately_goes_before_all_who_were(networks: int) -> None:
    async def visits() -> list[str]:
        line = Turns()
        crowd = [(f"{number}", f"network {number % networks}") for number in range(40)]
        await order(line, *crowd)
        return await order(line, *crowd, ("anne", "another"))

    assert "anne" in run_coroutine(visits())[: PLACES + 1]


def test_while_another_network_is_served_one_runs_at_a_time() -> None:
    now = 0.0

    async def running(line: Turns) -> int:
        visits = [asyncio.create_task(line.begin(number, "a")) for number in range(3)]
        await asyncio.sleep(0)
        found = sum(map(line.runs, range(3)))
        for number in range(3):
            await asyncio.sleep(0)
            line.end(number)
        await asyncio.gather(*visits)
        return found

    async def two() -> list[int]:
        nonlocal now
        line = Turns(lambda: now)
        alone = await running(line)
        await line.begin("anne", "b")
        line.end("anne")
        beside = await running(line)
        now = LATELY
        return [alone, beside, await running(line)]

    assert run_coroutine(two()) == [2, 1, 2]


def test_who_has_a_place_keeps_it_and_a_run_that_goes_on_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "HOLD", 0.01)

    async def long_run() -> None:
        line = Turns()
        async with asyncio.timeout(1):
            for connection in ("anne", "anne", "ben", "clara"):
                await line.begin(connection, "a")

    run_coroutine(long_run())
