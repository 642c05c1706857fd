"""Draining: a server that is about to stop takes no new visitors and warns its current ones.

SIGUSR1 begins it: /_stcore/health answers 503 from then on, so that a proxy sends newcomers elsewhere, and every page
that is drawn says what will happen. A visitor who is cut off reconnects to another replica with the sentence of the
link.
"""

import asyncio
import os
import signal
import sys
import threading
import time

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from regard.app.server.visits import PROTOCOLS, named_session

HEALTH, METRICS = "/_stcore/health", "/_stcore/metrics"
FORWARDED = ("x-forwarded-for", "forwarded")  # headers in which a proxy names the client
STOPPING = (
    "This server is about to stop. The page will connect to another one and keep your sentence. What you trained or "
    "imported stays behind: download it now, or keep the link."
)
ELSEWHERE = (
    "The connection was lost, and your visit could not be resumed: it was away too long, or this is another server. "
    "Your sentence is still here; models that you trained or imported are not."
)
GRACE = 30  # seconds that a command waits before it stops the drained server

_drained = asyncio.Event()


def listen() -> None:
    """Begin to drain on SIGUSR1. Windows has no such signal, and only the main thread receives signals."""
    if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, _drained.set)


def draining() -> bool:
    return _drained.is_set()


def tell() -> None:
    """Tell the visitor, once per visit, that this server is about to stop, or that an earlier session was lost."""
    notices = st.session_state.setdefault("told_of_server", set())
    if draining() and STOPPING not in notices:
        notices.add(STOPPING)
        st.toast(STOPPING, icon=":material/power_settings_new:", duration="infinite")
    if ELSEWHERE not in notices:
        notices.add(ELSEWHERE)
        if returning():
            st.toast(ELSEWHERE, icon=":material/swap_horiz:", duration="infinite")


def returning() -> bool:
    """Return True if the visitor's browser names an earlier session, so its page was open when it was cut off."""
    return bool(named_session(st.context.headers.get(PROTOCOLS, "")))


class Health:
    """Pure ASGI middleware: reports a draining server as not healthy, and refuses the operator's metrics to a client
    that a proxy forwards, whose rule about paths would miss /_stcore/%6detrics."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer, path = self.app, scope["path"] if scope["type"] == "http" else ""
        if path.endswith(HEALTH) and draining():
            answer = PlainTextResponse("about to stop", 503)
        elif path.endswith(METRICS) and any(name in Headers(scope=scope) for name in FORWARDED):
            answer = PlainTextResponse("metrics are not answered through a proxy", 404)
        await answer(scope, receive, send)


def main() -> None:
    """Drain a server and wait: `python -m regard.app.server.draining [PROCESS [SECONDS]]`, by default process 1."""
    process, seconds, *_ = [*map(int, sys.argv[1:]), *(1, GRACE)[len(sys.argv) - 1 :]]
    os.kill(process, signal.SIGUSR1)
    time.sleep(seconds)


if __name__ == "__main__":
    main()
