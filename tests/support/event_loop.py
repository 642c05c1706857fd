"""Event loop of a test: a coroutine is run to its end in a thread of its own.

Playwright keeps a loop running in the thread of the tests that follow a browser's, where `asyncio.run` is refused.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.types import ASGIApp, Message, Receive

Result = TypeVar("Result")


def run_coroutine(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine; return what it returns and raise what it raises."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()


async def messages_of(app: ASGIApp, scope: Mapping[str, Any], receive: Receive | None = None) -> list[Message]:
    """Return what an app sends to one request; without `receive` it reads nothing."""
    sent: list[Message] = []

    async def nothing() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        sent.append(message)

    await app(dict(scope), receive or nothing, send)
    return sent
