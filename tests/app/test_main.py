import gc
import subprocess
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from starlette.types import Receive, Scope, Send
from websockets.exceptions import InvalidStatus

from benchmarks.server import ROOT
from benchmarks.websocket_visitor import WebsocketVisitor
from regard.app import main
from regard.app.models import traces
from regard.app.security import SecurityHeaders, embedding_sites, policy
from regard.app.wording import OPENINGS
from tests.support.event_loop import messages_of, run_coroutine

PROXIED = " through a proxy"  # in docs/serving.md


def rules(content_policy: str) -> dict[str, list[str]]:
    return {name: sources for name, *sources in (rule.split() for rule in content_policy.split(";"))}


def headers_for(host: str, sites: tuple[str, ...]) -> dict[str, str]:
    """Return the headers that the middleware adds for a visitor who came by this host name."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    scope = {"type": "http", "headers": [(b"host", host.encode("latin-1"))]}
    sent = run_coroutine(messages_of(SecurityHeaders(answer, sites), scope))
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/no/such/page"])
def test_every_answer_carries_the_strict_policy(app_url: str, path: str) -> None:
    with urlopen(app_url + path) as answer:
        found = rules(answer.headers["Content-Security-Policy"])
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert found["default-src"] == ["'self'"]
    assert found["object-src"] == ["'none'"]
    assert found["frame-ancestors"] == ["'self'"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:"} & set(found["script-src"])


@pytest.mark.parametrize("rest", ["", "?sentence=Hello.&step=2"])
def test_the_first_screens_name_leads_to_the_root_with_its_link(app_url: str, rest: str) -> None:
    with urlopen(f"{app_url}/translate{rest}") as page:
        assert page.url == f"{app_url}/{rest}"


@pytest.mark.parametrize(
    "setting", ["https://moodle.example.org", "http://localhost:8080", "https://*.example.org  https://a.fr:8443"]
)
def test_named_sites_may_embed_the_app(setting: str) -> None:
    sites = embedding_sites(setting)
    headers = headers_for("regard.example.org", sites)
    assert rules(headers["content-security-policy"])["frame-ancestors"] == ["'self'", *setting.split()]
    assert "x-frame-options" not in headers


@pytest.mark.parametrize(
    "setting",
    ["moodle.example.org", "https://a.org/course", "*", "https://", "https://a.org;script-src *", "'none'", "data:"],
)
def test_what_is_no_origin_is_refused_by_name(setting: str) -> None:
    with pytest.raises(SystemExit, match=r"REGARD_EMBED.*is not the origin of a site"):
        embedding_sites(setting)


@pytest.mark.parametrize(("setting", "value"), [("REGARD_EMBED", "here"), ("REGARD_CACHE", "600MB")])
def test_a_bad_setting_stops_the_server_with_one_line(setting: str, value: str) -> None:
    command = [sys.executable, "-c", "import regard.app.main"]
    ended = subprocess.run(command, cwd=ROOT, env={setting: value}, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert f"{setting}: {value!r} is not" in ended.stderr


@pytest.mark.parametrize("host", ["", "a.org; script-src *", "a.org\tb.org", "évil.org"])
def test_a_forged_host_name_does_not_enter_the_policy(host: str) -> None:
    found = rules(headers_for(host, ())["content-security-policy"])
    assert found["connect-src"] == ["'self'"]
    assert found["script-src"] == rules(policy("a.org", ()))["script-src"]


def test_the_model_warms_up_by_itself_and_is_set_apart_from_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    translated: list[str] = []
    monkeypatch.setattr(traces, "warm_up", translated.append)

    async def start_and_stop() -> None:
        async with main.lifespan(main.app):
            pass

    run_coroutine(start_and_stop())
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    assert frozen > 10_000
    assert translated == [OPENINGS["translate"]["en", "fr"]]


def asked(url: str, request: str) -> tuple[int, str]:
    """The status that a request as docs/serving.md writes it gets, and the names of the cookies that are set."""
    what, _, host = request.removesuffix(PROXIED).partition(" as ")
    if what.startswith("websocket from "):
        try:
            with WebsocketVisitor(url, origin=what.removeprefix("websocket from ")):
                return 101, ""
        except InvalidStatus as refused:
            return refused.response.status_code, ""
    method, path = what.split(" ")
    headers = {"Host": host} if host else {"X-Forwarded-For": "192.0.2.1"} if request.endswith(PROXIED) else {}
    wanted = Request(url + path, b"" if method in ("POST", "PUT") else None, headers, method=method)
    try:
        answer = urlopen(wanted)
    except HTTPError as refused:
        answer = refused
    with answer:
        return answer.status or 0, (answer.headers["Set-Cookie"] or "").partition("=")[0]


def test_the_server_answers_strangers_as_documented(app_url: str) -> None:
    lines = (
        (ROOT / "docs" / "serving.md").read_text(encoding="utf-8").partition("| asked | answer | |")[2].splitlines()[2:]
    )
    rows = [line.split("|") for line in lines[: lines.index("")]]
    found = {row[1].strip(): asked(app_url, row[1].replace("`", "").strip()) for row in rows}
    assert len(rows) == 11
    assert {request: status for request, (status, _) in found.items()} == {row[1].strip(): int(row[2]) for row in rows}
    assert {cookie for _, cookie in found.values()} == {"", "_streamlit_xsrf"}
