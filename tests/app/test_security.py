"""By which names the server may be reached, and how it refuses the others."""

import socket

import pytest
from starlette.types import Message, Receive, Scope, Send

from regard.app.security import KnownHosts, is_known, known_hosts
from tests.support.event_loop import messages_of, run_coroutine


def answered(kind: str, host: str, setting: str = "", origin: str | None = None) -> list[Message]:
    """Return the refusal for a browser that uses this name; empty if the app itself answers."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        pass

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    from_page = f"http://{host}" if origin is None else origin
    scope = {"type": kind, "headers": [(b"host", host.encode("latin-1")), (b"origin", from_page.encode())]}
    return run_coroutine(messages_of(KnownHosts(app, known_hosts(setting)), scope, receive))


@pytest.mark.parametrize(
    "host",
    ["localhost:8501", "LOCALHOST", "localhost.", "127.0.0.1:80", "192.168.1.7", "[::1]:8501", socket.gethostname()],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_the_machine_is_reached_by_its_addresses_and_its_own_names(kind: str, host: str) -> None:
    assert answered(kind, host) == []


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8501", "localhost.evil.example", "", "a" * 10_000, "é", "[127.0.0.1", "[", "::1]"],
)
def test_a_websocket_of_a_foreign_host_is_refused_though_its_origin_is_the_same(host: str) -> None:
    assert answered("websocket", host) == [{"type": "websocket.close", "code": 1008, "reason": ""}]


def test_a_page_of_a_foreign_host_says_what_its_operator_can_do() -> None:
    start, body = answered("http", "evil.example")
    assert start["status"] == 421
    assert b"REGARD_HOSTS=" in body["body"]


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:9000", "http://127.0.0.1", "http://localhost:8501", "null", "file://", "x", "http://[", "//]"],
)
def test_a_page_of_another_port_or_name_of_this_machine_opens_no_websocket(origin: str) -> None:
    assert answered("websocket", "127.0.0.1:8501", origin=origin) == [
        {"type": "websocket.close", "code": 1008, "reason": ""}
    ]


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8501", "https://127.0.0.1:8501", ""])
def test_a_page_of_this_server_and_a_program_do(origin: str) -> None:
    assert answered("websocket", "127.0.0.1:8501", origin=origin) == []


@pytest.mark.parametrize("setting", ["regard.example.org", "other.org *.example.org", "*"])
def test_other_names_are_let_in_by_a_setting(setting: str) -> None:
    assert answered("websocket", "regard.example.org:443", setting) == []


def test_a_name_with_a_star_lets_its_own_in_alone() -> None:
    assert not is_known("evilexample.org", known_hosts("*.example.org"))


@pytest.mark.parametrize("setting", ["https://example.org", "example.org:8501", "a.org,b.org", "*example.org"])
def test_what_is_no_name_of_a_host_stops_the_server_with_one_line(setting: str) -> None:
    with pytest.raises(SystemExit, match=r"REGARD_HOSTS: .* is not a host name; write them as"):
        known_hosts(setting)
