"""A session is taken up again by the browser that began it, and by no other that has read its id."""

from starlette.datastructures import Headers
from starlette.types import Scope
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from regard.app.server.visits import UNKNOWN, Visits, browser, named_session, network

ANNE, BEN = (generate_xsrf_token_string(name) for name in (b"anne" * 4, b"ben." * 4))


def handshake(session: str, cookie: str = "") -> Scope:
    headers = [(b"sec-websocket-protocol", f"streamlit, token, {session}".encode())]
    return {"type": "websocket", "headers": [*headers, (b"cookie", f"_streamlit_xsrf={cookie}".encode())]}


def asked(known: Visits, session: str, cookie: str = "") -> str:
    """Return the session that Streamlit hears of."""
    protocols = Headers(scope=known.claimed(handshake(session, cookie)))["sec-websocket-protocol"]
    return named_session(protocols)  # never "": the page is told where its visit could not be taken up


def test_a_session_is_of_the_browser_that_began_it() -> None:
    known = Visits()
    known.connected("5f3a", browser(handshake("", ANNE)), "", self_ := object())
    known.left("5f3a", self_)
    assert asked(known, "5f3a", ANNE) == "5f3a"
    again = generate_xsrf_token_string(b"anne" * 4)
    assert again != ANNE
    assert asked(known, "5f3a", again) == "5f3a"  # the same secret, masked anew
    assert [asked(known, "5f3a", other) for other in (BEN, "", "x|y", "2|a|b|c|d")] == [UNKNOWN] * 4
    assert asked(known, "none", ANNE) == UNKNOWN


def test_a_session_without_a_cookie_is_not_taken_with_one() -> None:
    known = Visits()
    known.connected("5f3a", b"", "", object())
    assert [asked(known, "5f3a", cookie) for cookie in ("", ANNE)] == ["5f3a", UNKNOWN]


def test_a_network_is_an_address_or_the_half_of_one_that_a_subscriber_has() -> None:
    names = ["127.0.0.1", "::1", "203.0.113.7", "::ffff:203.0.113.7", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9", "unix"]
    networks = [network({"type": "http", "client": (name, 1)}) for name in names]
    assert networks == ["", "", "203.0.113.7", "203.0.113.7", "2001:db8:1:2::", "2001:db8:1:2::", "unix"]
    assert network({"type": "http", "client": None}) == ""
