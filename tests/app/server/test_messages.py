import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from regard.app.server.messages import Messages
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


def installed() -> BackMsg:
    """Return a request to write files on the server, beside the operations that pages ask for."""
    message = BackMsg()
    message.backend_operation_request.SetInParent()
    return message


@pytest.mark.parametrize("said", [BackMsg(set_run_on_save=True), BackMsg(load_git_info=True), installed()])
def test_what_no_page_asks_for_is_not_heard(said: BackMsg) -> None:
    assert heard(said.SerializeToString()) == []


def test_one_who_speaks_another_protocol_is_not_heard_further() -> None:
    for said in (b"\xff\xff\xff", b""):
        assert heard(rerun(), said, rerun()) == [rerun()]
