"""A real Redis for a test: an empty one on a socket of its own, which ends with the test."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

MISSING = (
    "no redis-server here: `apt install redis-server`, `dnf install redis`, `brew install redis`; `make test` does"
)


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Start a Redis and return its address."""
    program = shutil.which("redis-server") or pytest.fail(MISSING)
    place = folder / "redis.sock"
    settings = ("--port", "0", "--unixsocket", str(place), "--save", "", "--dir", str(folder))
    with subprocess.Popen([program, *settings], stdout=subprocess.DEVNULL) as process:
        address = f"unix://{place}"
        while not place.exists() or not redis.Redis.from_url(address).ping():
            assert process.poll() is None, "it ended"
            time.sleep(0.02)
        yield address
        process.terminate()
