"""What a browser may ask beside the page: no visitor clears what others have, or fills the memory by uploads."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from regard.app.server.limits import BYTES_OF_ALL, BYTES_OF_ONE, UPLOADS, UPLOADS_OF_ALL, Limits, Upload
from tests.support.event_loop import run_coroutine

CONNECT: Message = {"type": "websocket.connect"}
LEAVE: Message = {"type": "websocket.disconnect", "code": 1000}


def heard(*said: bytes) -> list[bytes]:
    """What of it reaches Streamlit."""
    messages = iter([CONNECT, *({"type": "websocket.receive", "bytes": each} for each in said), LEAVE])
    found: list[bytes] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            found.extend([message["bytes"]] if "bytes" in message else [])

    async def receive() -> Message:
        return next(messages)

    async def send(message: Message) -> None:
        raise AssertionError("nothing is sent")

    run_coroutine(Limits(app)({"type": "websocket"}, receive, send))
    return found


@dataclass
class Kept:
    """A file of so many bytes."""

    data: bytes = b"a"


def uploaded(
    session: str, file: str, kept: Mapping[str, Mapping[str, Upload]], method: str = "PUT", size: int | None = 1
) -> int:
    """The status that a browser gets."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [] if size is None else [(b"content-length", str(size).encode())]
    scope = {
        "type": "http",
        "method": method,
        "path": f"/base/_stcore/upload_file/{session}/{file}",
        "headers": headers,
    }
    run_coroutine(Limits(app, lambda: kept)(scope, receive, send))
    return sent[0]["status"]


def test_a_visitor_cannot_clear_the_caches_of_all() -> None:
    rerun, clear = BackMsg(), BackMsg(clear_cache=True)
    rerun.rerun_script.query_string = "sentence=a"
    assert heard(clear.SerializeToString(), rerun.SerializeToString()) == [rerun.SerializeToString()]


@pytest.mark.parametrize("said", [BackMsg(set_run_on_save=True), BackMsg(load_git_info=True), BackMsg()])
def test_what_no_page_asks_for_is_not_heard(said: BackMsg) -> None:
    assert heard(said.SerializeToString()) == []


def test_one_who_speaks_another_protocol_is_not_heard_further() -> None:
    rerun = BackMsg()
    rerun.rerun_script.query_string = "sentence=a"
    for said in (b"\xff\xff\xff", b""):
        assert heard(rerun.SerializeToString(), said, rerun.SerializeToString()) == [rerun.SerializeToString()]


def test_uploads_beside_the_fields_are_refused() -> None:
    mine = {f"{number}": Kept() for number in range(UPLOADS)}
    assert uploaded("anne", "new", {"anne": mine}) == 429
    assert uploaded("anne", "0", {"anne": mine}) == 204  # in place of an earlier one
    assert uploaded("anne", "new", {"anne": mine}, "DELETE") == 204
    assert uploaded("ben", "new", {"anne": mine}) == 204


def test_all_visitors_together_have_a_limit_of_uploads() -> None:
    kept = {f"{number}": {"file": Kept()} for number in range(UPLOADS_OF_ALL)}
    assert uploaded("anne", "new", kept) == 429


def test_bytes_of_uploads_have_a_limit_for_one_and_for_all_together() -> None:
    heavy = Kept(b"a" * 50_000_000)
    assert uploaded("anne", "new", {"anne": {"0": heavy, "1": heavy}}, size=BYTES_OF_ONE - 100_000_000) == 204
    assert uploaded("anne", "new", {"anne": {"0": heavy, "1": heavy}}, size=BYTES_OF_ONE - 100_000_000 + 1) == 429
    all_of_them = {f"{number}": {"file": heavy} for number in range(BYTES_OF_ALL // 50_000_000)}
    assert uploaded("anne", "new", all_of_them) == 429
    assert uploaded("anne", "new", {**all_of_them, "0": {}}, size=50_000_000) == 204
    assert uploaded("anne", "new", {**all_of_them, "0": {}}, size=None) == 429  # who does not say may send the most


def test_what_is_on_its_way_counts_too() -> None:
    answers: list[int] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if len(answers) < 9:  # while one arrives, another comes
            await limits(_put(f"{len(answers)}", 60_000_000), receive, send)
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def note(message: Message) -> None:
        answers.extend([message["status"]] if "status" in message else [])

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    limits = Limits(app, dict)
    run_coroutine(limits(_put("first", 60_000_000), receive, note))
    assert answers == [429] + [204] * (BYTES_OF_ALL // 60_000_000)


def _put(session: str, size: int) -> Scope:
    headers = [(b"content-length", str(size).encode())]
    return {"type": "http", "method": "PUT", "path": f"/_stcore/upload_file/{session}/file", "headers": headers}
