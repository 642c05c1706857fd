"""Firefox for Playwright: any that is installed, by WebDriver BiDi, which browsers of all makers understand.

Playwright begins every visit by a command about colour schemes that Firefox 153 does not know, and gives up when it is
refused. So it starts `python -m tests.support.firefox` in the browser's place, which starts Firefox, hands on every
message, and answers that one command itself. Firefox keeps the colours of its machine, then.
"""

import asyncio
import json
import os
import re
import shlex
import shutil
import stat
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

UNKNOWN = "emulation.setMediaFeaturesOverride"  # to Firefox 153, and to Playwright 1.65 not to be done without
LISTENING = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
LARGEST = 2**28  # bytes of a message


def executable() -> str:
    """Raises FileNotFoundError, saying what to do, when there is no Firefox."""
    found = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if not found or not Path(found).is_file():
        raise FileNotFoundError(
            f"no Firefox{f' at {found}' if found else ''}: apt-get install firefox-esr, or name one in FIREFOX"
        )
    return found


def stand_in(folder: Path) -> Path:
    """A program that Playwright starts as its Firefox, written to the folder."""
    program = folder / "firefox"
    root = shlex.quote(str(Path(__file__).parent.parent.parent))
    command = f"FIREFOX={shlex.quote(executable())} exec {shlex.quote(sys.executable)} -m tests.support.firefox"
    program.write_text(f'#!/bin/sh\ncd {root} && {command} "$@"\n', encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


async def _run(arguments: list[str]) -> int:
    """Firefox until it ends; what it says is said, with an address of ours in place of its own."""
    process = await asyncio.create_subprocess_exec(executable(), *arguments, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    async with AsyncExitStack() as servers:
        async for line in process.stderr:
            address = LISTENING.search(line)
            said = await _listen(address[1].decode(), servers) if address else line
            sys.stderr.buffer.write(said)
            sys.stderr.flush()
        return await process.wait()


async def _listen(address: str, servers: AsyncExitStack) -> bytes:
    """Relay to Firefox at this address; returns what Playwright waits to be told."""

    async def relay(ours: ServerConnection) -> None:
        async with connect(f"{address}/session", max_size=LARGEST, origin=None, compression=None) as theirs:
            both = [asyncio.create_task(_ask(ours, theirs)), asyncio.create_task(_answer(theirs, ours))]
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)

    server = await servers.enter_async_context(serve(relay, "127.0.0.1", 0, max_size=LARGEST, compression=None))
    port = next(iter(server.sockets)).getsockname()[1]
    return f"WebDriver BiDi listening on ws://127.0.0.1:{port}\n".encode()


async def _ask(ours: ServerConnection, firefox: ClientConnection) -> None:
    async for message in ours:
        asked = json.loads(message)
        if asked.get("method") == UNKNOWN:
            await ours.send(json.dumps({"type": "success", "id": asked["id"], "result": {}}))
        else:
            await firefox.send(message)


async def _answer(firefox: ClientConnection, ours: ServerConnection) -> None:
    async for message in firefox:
        await ours.send(message)


if __name__ == "__main__":
    sys.exit(asyncio.run(_run(sys.argv[1:])))
