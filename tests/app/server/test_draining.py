import pytest
from starlette.types import Receive, Scope, Send
from streamlit.testing.v1 import AppTest

from regard.app.server import draining
from regard.app.server.draining import ELSEWHERE, STOPPING, Health
from regard.app.server.visits import named_session
from tests.support.event_loop import messages_of, run_coroutine


def status(path: str) -> int:
    async def rest(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    return run_coroutine(messages_of(Health(rest), {"type": "http", "path": path}))[0]["status"]


def test_a_server_that_drains_is_not_healthy_but_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert status("/_stcore/health") == 200
    monkeypatch.setattr(draining, "draining", lambda: True)
    assert (status("/_stcore/health"), status("/base/_stcore/health"), status("/")) == (503, 503, 200)


@pytest.mark.parametrize(
    ("protocols", "before"),
    [("", False), ("streamlit, token", False), ("streamlit, , ", False), ("streamlit, , 5f3a", True)],
)
def test_a_browser_that_names_a_session_had_one(protocols: str, before: bool) -> None:
    assert bool(named_session(protocols)) == before


def page() -> None:
    from regard.app.server.draining import tell

    tell()


def test_visitors_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = AppTest.from_function(page).run()
    assert not screen.toast
    monkeypatch.setattr(draining, "draining", lambda: True)
    assert [toast.value for toast in screen.run().toast] == [STOPPING]
    assert not screen.run().toast
    monkeypatch.setattr(draining, "named_session", lambda protocols: "5f3a")
    monkeypatch.setattr(draining, "draining", lambda: False)
    assert [toast.value for toast in AppTest.from_function(page).run().toast] == [ELSEWHERE]
