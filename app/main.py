"""The server: `make run`, `streamlit run app/main.py` and `uvicorn regard.app.main:app` all start this."""

import asyncio
import ctypes
import gc
import logging
import platform
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from regard.app.models.settings import cache_megabytes
from regard.app.navigation import FIRST
from regard.app.security import KnownHosts, SecurityHeaders, embedding_sites, known_hosts
from regard.app.server import draining, error_boundary
from regard.app.server.connections import HalfOpen, raise_descriptors
from regard.app.server.messages import Messages
from regard.app.server.pages import HashedFiles, PageStyle
from regard.app.server.uploads import Uploads
from regard.model.input_error import InputError

COLLECT_EVERY = 30  # seconds; a visit leaves about 100 kB in reference cycles
TURN = 0.001  # seconds for which a thread computes while others wait; PyTorch lets go of its turn at every operation
YOUNG = 20_000  # new objects between two collections during runs; a sentence leaves about 400

_no_page_yet = logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context")


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Load the model and translate once while the first visitor's browser is still fetching the page."""
    sys.setswitchinterval(TURN)
    _keep_memory_small()
    draining.listen()
    _end_with_the_terminal()
    warming = asyncio.create_task(asyncio.to_thread(_warm_up))
    collecting = asyncio.create_task(_collect_garbage())
    yield
    collecting.cancel()
    await warming
    await asyncio.to_thread(_leave_nothing)


def _end_with_the_terminal() -> None:
    """End the server when its terminal is closed (SIGHUP), as on SIGTERM, unless it was told to outlive it (nohup)."""
    ours = sys.platform != "win32" and threading.current_thread() is threading.main_thread()
    if ours and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, signal.raise_signal, signal.SIGTERM)


def _leave_nothing() -> None:
    """End all trainings and delete all files when the server has stopped."""
    from regard.app.models import temporary
    from regard.app.training_jobs.scheduler import close_scheduler

    close_scheduler()
    temporary.remove()


def _keep_memory_small() -> None:
    """Share two memory pools among threads, and free large blocks at once: glibc would keep a pool per visitor's
    thread, and holes of half a gigabyte after a story of long sentences. The encoder's 2 MB for each sentence stay."""
    if platform.libc_ver()[0] == "glibc":
        trim_threshold, mmap_threshold, arena_max = -1, -3, -8
        libc = ctypes.CDLL(None)
        libc.mallopt(arena_max, 2)
        libc.mallopt(mmap_threshold, 2**22)
        libc.mallopt(trim_threshold, 2**23)


async def _collect_garbage() -> None:
    """Collect garbage while nobody waits for this thread. Streamlit would collect it after every run of the page,
    before the visitor gets the end of the page; the configuration switches that off."""
    while True:
        await asyncio.sleep(COLLECT_EVERY)
        gc.collect()


def _warm_up() -> None:
    """Load the default model and the dictionary, then exclude both from garbage collection, to keep it short."""
    from regard.app.models import temporary
    from regard.app.models.traces import warm_up  # importing PyTorch takes a second: not before the server listens
    from regard.app.visitor.suggestions import opening
    from regard.model.checkpoint import DEFAULT
    from regard.model.truecasing import dictionary

    temporary.clear()
    _no_page_yet.disabled = True
    try:
        warm_up(opening(DEFAULT, FIRST))
        dictionary()
    except InputError as error:
        logging.getLogger("uvicorn.error").error("%s", error)  # the page also reports the error
    _no_page_yet.disabled = False
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)


async def _to_first_screen(request: Request) -> RedirectResponse:
    """Redirect the first screen's name to the address that it has, the root."""
    return RedirectResponse(f"./?{query}" if (query := request.url.query) else "./")


raise_descriptors()
error_boundary.log_one_line_per_error()
cache_megabytes()  # a bad setting stops the server here: what takes it is loaded later
app = st.App(
    Path(__file__).with_name("frame.py"),
    lifespan=lifespan,
    on_script_error=error_boundary.show,
    routes=[Route(f"/{FIRST}", _to_first_screen)],
    middleware=[
        Middleware(SecurityHeaders, sites=embedding_sites()),
        Middleware(KnownHosts, known=known_hosts()),
        Middleware(draining.Health),
        Middleware(HashedFiles),
        Middleware(HalfOpen),
        Middleware(Messages),
        Middleware(Uploads),
        Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),
        Middleware(PageStyle),
    ],
)
