"""What a browser may ask beside the page: no visitor clears what others have, or fills the memory by uploads."""

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from app.server.limits import UPLOADS, UPLOADS_OF_ALL, Limits
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


def uploaded(session: str, file: str, kept: dict[str, dict[str, object]], method: str = "PUT") -> int:
    """The status that a browser gets."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": f"/base/_stcore/upload_file/{session}/{file}"}
    run_coroutine(Limits(app, lambda: kept)(scope, receive, send))
    return sent[0]["status"]


def test_a_visitor_cannot_clear_the_caches_of_all() -> None:
    rerun, clear = BackMsg(), BackMsg(clear_cache=True)
    rerun.rerun_script.query_string = "sentence=a"
    assert heard(clear.SerializeToString(), rerun.SerializeToString()) == [rerun.SerializeToString()]


@pytest.mark.parametrize("said", [BackMsg(set_run_on_save=True), BackMsg(load_git_info=True), BackMsg()])
def test_what_no_page_asks_for_is_not_heard(said: BackMsg) -> None:
    assert heard(said.SerializeToString()) == []


def test_what_streamlit_refuses_itself_is_left_to_it() -> None:
    assert heard(b"\xff\xff\xff") == [b"\xff\xff\xff"]


def test_uploads_beside_the_fields_are_refused() -> None:
    mine = {f"{number}": object() for number in range(UPLOADS)}
    assert uploaded("anne", "new", {"anne": mine}) == 429
    assert uploaded("anne", "0", {"anne": mine}) == 204  # in place of an earlier one
    assert uploaded("anne", "new", {"anne": mine}, "DELETE") == 204
    assert uploaded("ben", "new", {"anne": mine}) == 204


def test_all_visitors_together_have_a_limit_of_uploads() -> None:
    kept = {f"{number}": {"file": object()} for number in range(UPLOADS_OF_ALL)}
    assert uploaded("anne", "new", kept) == 429
