"""The server: `make run`, `streamlit run app/main.py` and `uvicorn app.main:app` all start this."""

import asyncio
import ctypes
import gc
import logging
import platform
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from app.security import SecurityHeaders, embedding_sites
from app.server.hosts import KnownHosts, known_hosts
from app.server.limits import Limits
from app.server.page_style import PageStyle
from app.server.scripts import ROUTES

_no_page_yet = logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context")


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Load the model and translate once while the first visitor's browser is still fetching the page."""
    _keep_memory_small()
    warming = asyncio.create_task(asyncio.to_thread(_warm_up))
    yield
    await warming
    await asyncio.to_thread(_leave_nothing)


def _leave_nothing() -> None:
    """No training goes on, and no file stays, when the server has stopped."""
    from app.models import temporary
    from app.training_jobs.scheduler import close_workshop

    close_workshop()
    temporary.remove()


def _keep_memory_small() -> None:
    """Threads share two pools, and large blocks go back at once: glibc would keep a pool for each visitor's thread, and
    after a story of long sentences half a gigabyte of holes.
    """
    if platform.libc_ver()[0] == "glibc":
        mmap_threshold, arena_max = -3, -8
        libc = ctypes.CDLL(None)
        libc.mallopt(arena_max, 2)
        libc.mallopt(mmap_threshold, 2**20)


def _warm_up() -> None:
    """Streamlit collects garbage after every run of the page; what is loaded here never becomes any, so it is set
    apart, and a run ends 50 ms sooner.
    """
    from app.models.traces import warm_up  # PyTorch takes a second to import: not before the server listens
    from app.navigation import FIRST
    from app.visitor.suggestions import opening
    from model.checkpoint import DEFAULT

    _no_page_yet.disabled = True
    try:
        warm_up(opening(DEFAULT, FIRST))
    except ValueError as error:
        logging.getLogger("uvicorn.error").error("%s", error)  # the page says it too
    _no_page_yet.disabled = False
    gc.collect()
    gc.freeze()


app = st.App(
    Path(__file__).with_name("frame.py"),
    lifespan=lifespan,
    routes=ROUTES,
    middleware=[
        Middleware(SecurityHeaders, sites=embedding_sites()),
        Middleware(KnownHosts, known=known_hosts()),
        Middleware(Limits),
        Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),
        Middleware(PageStyle),
    ],
)
