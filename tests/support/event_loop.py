"""Event loop of a test: a coroutine is run to its end in a thread of its own.

Playwright keeps a loop running in the thread of the tests that follow a browser's, where `asyncio.run` is refused.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_coroutine(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine; return what it returns and raise what it raises."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()
