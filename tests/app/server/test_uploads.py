import asyncio
import errno
import logging
from collections.abc import Mapping

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from regard.app.server.uploads import BYTES_OF_ALL, BYTES_OF_ONE, UPLOADS, UPLOADS_OF_ALL, Uploads
from regard.app.server.visits import Visits, share
from tests.support.event_loop import messages_of, run_coroutine

HERE, THERE = "203.0.113.7", "198.51.100.9"
MEGABYTE = 10**6


Files = Mapping[str, Mapping[str, UploadedFileRec]]


def file_of(data: bytes = b"a") -> UploadedFileRec:
    return UploadedFileRec("", "", "", data)


def known(kept: Files, *more: str, address: str = HERE) -> Visits:
    """Return visits that are connected, of one network."""
    visits = Visits()
    for session in (*kept, *more):
        visits.connected(session, b"", address, object())
    return visits


def put(session: str, file: str = "new", method: str = "PUT", size: int | None = 1, address: str = THERE) -> Scope:
    headers = [(b"content-type", b"multipart/form-data; boundary=part")]
    headers += [] if size is None else [(b"content-length", str(size).encode())]
    path = f"/base/_stcore/upload_file/{session}/{file}"
    return {"type": "http", "method": method, "path": path, "headers": headers, "client": (address, 1)}


async def read(scope: Scope, receive: Receive, send: Send) -> None:
    """Take a file, as Streamlit does."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})


def body(size: int, at_once: int = MEGABYTE) -> Receive:
    """Bring so many bytes, and without a pause."""
    pieces = iter([b"a" * at_once] * (size // at_once))

    async def receive() -> Message:
        await asyncio.sleep(0)
        piece = next(pieces, b"")
        return {"type": "http.request", "body": piece, "more_body": bool(piece)}

    return receive


async def status(limited: Uploads, scope: Scope, receive: Receive) -> int:
    """Return what the browser gets; 0 where nothing is said to it."""
    sent = await messages_of(limited, scope, receive)
    return sent[0]["status"] if sent else 0


def uploaded(kept: Files, scope: Scope, visits: Visits | None = None, size: int = 0) -> int:
    limited = Uploads(read, lambda: kept, [].append, visits or known(kept, "anne", "ben"))
    return run_coroutine(status(limited, scope, body(size)))


def test_uploads_beside_the_fields_are_refused() -> None:
    mine = {f"{number}": file_of() for number in range(UPLOADS)}
    assert uploaded({"anne": mine}, put("anne")) == 429
    assert uploaded({"anne": mine}, put("anne", "0")) == 204  # in place of an earlier one
    assert uploaded({"anne": mine}, put("anne", method="DELETE")) == 204
    assert uploaded({"anne": mine}, put("ben")) == 204


@pytest.mark.parametrize(
    ("content_type", "passed_on"),
    [
        ("multipart/form-data; boundary=part; charset=punycode", "part"),
        ("multipart/form-data; charset=undefined; boundary=part", "part"),
        ('Multipart/Form-Data;Boundary="a\'b"; charset=idna; name=x', "a'b"),
        ("multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxk", "----WebKitFormBoundary7MA4YWxk"),
        ("multipart/form-data; boundary*=punycode''part", ""),
        (f"multipart/form-data; boundary={'b' * 71}", ""),
        ("application/x-www-form-urlencoded; boundary=part", "part"),
        ("application/x-www-form-urlencoded", ""),
        ("", ""),
    ],
)
def test_the_type_of_a_file_that_arrives_is_read_with_nothing_but_its_boundary(
    content_type: str, passed_on: str
) -> None:
    found: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        found.extend(value.decode() for name, value in scope["headers"] if name == b"content-type")
        await read(scope, receive, send)

    scope: Scope = {**put("anne"), "headers": [(b"content-type", content_type.encode())]}
    answer = run_coroutine(status(Uploads(app, dict, [].append, known({}, "anne")), scope, body(0)))
    assert (answer, found) == (204, [f"multipart/form-data{'; boundary=' if passed_on else ''}{passed_on}"])


def test_bytes_have_a_limit_for_a_visit_a_network_and_all_together() -> None:
    heavy = file_of(b"a" * 50 * MEGABYTE)
    mine = {"anne": {"0": heavy, "1": heavy}}
    assert uploaded(mine, put("anne"), size=BYTES_OF_ONE - 100 * MEGABYTE) == 204
    assert uploaded(mine, put("anne"), size=BYTES_OF_ONE - 99 * MEGABYTE) == 429
    near = {f"{number}": {"file": heavy} for number in range(share(BYTES_OF_ALL) // (50 * MEGABYTE))}
    assert uploaded(near, put("anne", address=HERE), size=MEGABYTE) == 429
    assert uploaded(near, put("anne", address=THERE), size=MEGABYTE) == 204
    every = {f"{number}": {"file": heavy} for number in range(BYTES_OF_ALL // (50 * MEGABYTE))}
    assert uploaded(every, put("anne", address=THERE), size=MEGABYTE) == 429


def test_files_of_visits_that_are_not_connected_give_way() -> None:
    four, dropped = {f"{number}": file_of() for number in range(UPLOADS)}, list[str]()
    every = {f"{number}": dict(four) for number in range(UPLOADS_OF_ALL // UPLOADS)}
    visits = known(every, "anne")
    visits.connected("5", b"", HERE, gone := object())
    visits.left("5", gone)

    def drop(session: str) -> None:
        dropped.append(session)
        every.pop(session)

    limited = Uploads(read, lambda: every, drop, visits)
    assert run_coroutine(status(limited, put("anne"), body(0))) == 204
    assert dropped == ["5"]


def test_bytes_count_as_they_arrive() -> None:
    """Eight of 60 MB would be 480 MB; as many as fit are taken, and the others end."""
    asked = [(put(f"{number}", size=None, address=f"203.0.{number}.1"), body(60 * MEGABYTE)) for number in range(8)]
    limited = Uploads(read, dict, lambda _: None, known({}))

    async def all_of_them() -> list[int]:
        return await asyncio.gather(*(status(limited, *each) for each in asked))

    assert sorted(run_coroutine(all_of_them())) == [204] * 6 + [429] * 2


def test_a_file_that_is_refused_is_read_to_its_end_so_that_the_browser_reads_why() -> None:
    receive, mine = body(3 * MEGABYTE), {f"{number}": file_of() for number in range(UPLOADS)}
    limited = Uploads(read, lambda: {"anne": mine}, [].append, known({}, "anne"))
    assert run_coroutine(status(limited, put("anne", size=3 * MEGABYTE), receive)) == 429
    assert run_coroutine(status(limited, put("anne", method="GET"), receive)) == 204  # nothing is left of it


def test_a_disk_that_is_full_is_told(caplog: pytest.LogCaptureFixture) -> None:
    async def fails(scope: Scope, receive: Receive, send: Send) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with caplog.at_level(logging.WARNING, "uvicorn.error"):
        limited = Uploads(fails, dict, lambda _: None, Visits())
        assert run_coroutine(status(limited, put("anne"), body(0))) == 507
    assert [(line.message, line.exc_info) for line in caplog.records] == [
        ("an upload could not be written: No space left on device", None)
    ]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_who_has_read_the_address_of_an_upload_can_do_nothing_with_it(method: str) -> None:
    token = generate_xsrf_token_string(b"anne" * 4)
    visits = Visits()
    visits.connected("5f3a", b"anne" * 4, "", object())
    hers = put("5f3a", method=method)
    hers["headers"].append((b"cookie", f"_streamlit_xsrf={token}".encode()))
    assert uploaded({}, put("5f3a", method=method), visits) == 403
    assert uploaded({}, hers, visits) == 204
