"""A student's client that sends what only the teacher may, ten thousand answers and other students' ids."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis
from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import WebSocketException

from benchmarks.server import Served, serve
from benchmarks.websocket_visitor import Page, WebsocketVisitor
from regard.app.classroom.store import SETTING, Classes
from tests.support.attack import tracebacks
from tests.support.redis_server import redis_server

SENTENCE, VOTE = "sentence=She+bought+a+red+car.", "1.1"
LONGEST_WAIT, SLOWER = 2.0, 4.0  # seconds on a quiet machine, and how many times slower this one may be
ANSWERS = 10_000


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Served, Classes]]:
    """A server that keeps its classes in a Redis, and the classes."""
    with redis_server(tmp_path) as address, serve(environment=[(SETTING, address)]) as server:
        yield server, Classes(redis.Redis.from_url(address, decode_responses=True))


def press(visitor: WebsocketVisitor, query: str, page: Page, label: str) -> Page:
    (button,) = [element.button for element in page.elements if element.button.label == label]
    return visitor.run("classroom", query, [WidgetState(id=button.id, trigger_value=True)])


def answer(page: Page, option: str) -> WidgetState:
    """Return the state of a student's page that answers the vote."""
    (field,) = [identity for identity in page.widgets() if identity.endswith(f"vote-{VOTE}")]
    return WidgetState(id=field, string_array_value=StringArray(data=[option]))


def flood(url: str, cookie: str, query: str, states: list[WidgetState]) -> None:
    """Send the answers, over as many connections as it takes."""
    left = ANSWERS
    while left > 0:
        with suppress(WebSocketException, OSError, EOFError), WebsocketVisitor(url, cookie=cookie) as visitor:
            page = visitor.run("join", query)
            for _ in range(250):
                left -= 1
                visitor.ask("join", query, [states[left % len(states)]])
            assert not page.exceptions
            visitor.cut()


def test_nothing_happens_but_one_answer_of_the_attackers_own(served: tuple[Served, Classes]) -> None:
    server, classes = served
    url = server.url
    with WebsocketVisitor(url) as teacher, WebsocketVisitor(url) as honest, WebsocketVisitor(url) as attacker:
        begun = press(teacher, SENTENCE, teacher.run("classroom", SENTENCE), "Start a class")
        code = begun.words.split("join?code=")[1][:6]
        query = f"code={code}&{SENTENCE}"
        desk = teacher.run("classroom", query)
        asked = press(teacher, query, desk, "Ask the class")
        page = honest.run("join", query)
        page = honest.run("join", query, [answer(page, "car")])
        assert "Your answer is received" in page.words
        quiet = honest.run("join", query).seconds
        before = classes.read(code)
        mine = attacker.run("join", query)
        for identity in {**desk.widgets(), **asked.widgets()}:
            for state in (WidgetState(id=identity, trigger_value=True), WidgetState(id=identity, bool_value=True)):
                for screen in ("classroom", "join"):
                    attacker.run(screen, query, [state])
        assert "belongs to another browser" in attacker.run("classroom", query).words
        with WebsocketVisitor(url, session=honest.session, cookie=attacker.cookie) as thief:
            thief.run("join", f"{query}&student={next(iter(classes.votes(code, VOTE)))}", [answer(mine, "bought")])
            assert thief.session != honest.session
        states = [answer(mine, option) for option in ("bought", "red", "x" * 1000)]
        flooding = threading.Thread(target=flood, args=(url, attacker.cookie, query, states))
        flooding.start()
        waits = []
        while flooding.is_alive():
            waits.append(honest.run("join", query).seconds)
            time.sleep(0.2)
        flooding.join()
        assert max(waits) < LONGEST_WAIT * min(SLOWER, max(1.0, quiet / 0.1))
        assert classes.read(code) == before
        votes = classes.votes(code, VOTE)
        assert len(votes) == classes.joined(code) == 2
        assert sorted(votes.values())[1] == "car"
        assert "2 of 2 students answered" in teacher.run("classroom", query).words
    assert tracebacks(server.log) == []
