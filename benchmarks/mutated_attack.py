"""Mutations of what once froze the server for all, sent without a pause while one honest visitor translates.

    python -m benchmarks.mutated_attack [SECONDS [SEED]]

Messages of many states, uploads that announce much or trickle, files of equal links, idle and half-open connections. It
prints how much was sent, arrived (had an effect on the server that can be seen) and came back (as a page or an answer),
the honest visitor's waits before, during and after it, the machine's load, and the server's memory.
"""

import os
import random
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import WebSocketException

from benchmarks.load import new_sentence
from benchmarks.process_usage import peak_megabytes, resident_megabytes
from benchmarks.server import serve
from benchmarks.websocket_visitor import WebsocketVisitor

HONEST, ATTACKERS = "198.51.100.7", "203.0.113.7"  # where they come from
THREADS = 3  # of each kind of attack
IDLE = 300  # connections that say nothing
EVERY = 0.5  # seconds between two sentences of the honest visitor
GONE = (WebSocketException, OSError, EOFError)
Note = Callable[[str, object, object], None]  # an attempt of this kind, whether it arrived, whether it came back


def messages(url: str, chance: random.Random, note: Note) -> None:
    """Send messages of states: of one field or many, nested, empty or long, up to 19 MB."""
    with WebsocketVisitor(url, address=ATTACKERS) as visitor:
        ids = [*visitor.run("").widgets()]
        for _ in range(chance.randint(1, 12)):
            fields = chance.choice([ids[:1], ids, [f"{ids[0]}{number}" for number in range(400)]])
            content = "[" + "[]," * chance.choice([0, 90, 19_000]) + "[" * chance.choice([0, 9, 900]) + "]"
            value: dict[str, Any] = {chance.choice(["json_value", "json_trigger_value", "string_value"]): content}
            states = [
                WidgetState(id=fields[number % len(fields)], **value) for number in range(chance.choice([1, 20, 335]))
            ]
            page = visitor.run("", "", states)
            note("messages of up to 335 states and 19 MB", True, not page.closed)
            if page.closed:
                return


def links(url: str, chance: random.Random, note: Note) -> None:
    """Bring a file of equal links, on lines of other lengths."""
    with WebsocketVisitor(url, address=ATTACKERS) as visitor:
        page = visitor.run("attention_files", "opened_from=A+file")
        (field,) = [identity for identity in page.widgets() if identity.endswith("-foreign_file")]
        pair, count = chance.choice([b"0-0 ", b"149-149 ", b"0p0 "]), chance.choice([400, 22_400])
        content = (pair * count + b"\n") * chance.randint(1, 19_000_000 // (len(pair) * count))
        page = visitor.run("attention_files", "opened_from=A+file", [visitor.upload(field, "links.txt", content)])
        note("files of equal links, up to 19 MB", visitor.answers, visitor.arrived and not page.closed)


def uploads(url: str, chance: random.Random, note: Note) -> None:
    """Announce 64 MB and bring a few bytes, or none; or four files of one byte of a visit that is left at once."""
    with WebsocketVisitor(url, address=ATTACKERS) as visitor:
        visitor.run("model_import")
        if chance.random() < 0.5:
            for number in range(4):
                visitor.upload(f"field{number}", f"{number}.zip", b"x")
            note("visits that leave four small files", sum(visitor.answers.values()) == 4, visitor.arrived)
            return
        lines = [f"PUT /_stcore/upload_file/{visitor.session}/{chance.randrange(9**9)} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"Cookie: {visitor.cookie}", f"X-Xsrftoken: {visitor.cookie.partition('=')[2]}"]
        lines += [f"X-Forwarded-For: {ATTACKERS}", "Content-Type: multipart/form-data; boundary=part"]
        with _connected(url) as half:
            half.sendall("\r\n".join([*lines, "Content-Length: 64000000", "", ""]).encode())
            half.sendall(b"--part" * chance.randint(0, 200))
            half.settimeout(5)
            note("half-open uploads", True, False)
            half.recv(200)


def half_open(url: str, chance: random.Random, note: Note) -> None:
    """Begin requests that never end, and heartbeats of a visit that asks for nothing."""
    with ExitStack() as held:
        for one in [held.enter_context(_connected(url)) for _ in range(40)]:
            one.sendall(f"GET / HTTP/1.1\r\nHost: {'a' * chance.randint(0, 2000)}".encode())
            note("half-open requests", True, False)
        with WebsocketVisitor(url, address=ATTACKERS) as visitor:
            for _ in range(400):
                visitor.send(BackMsg(app_heartbeat=True))
            page = visitor.run("glossary")
            note("visits of 400 heartbeats at once", page.closed or page.messages, not page.closed)
        time.sleep(5)


def _connected(url: str) -> socket.socket:
    place = urlsplit(url)
    return socket.create_connection((place.hostname or "", place.port or 80), timeout=60)


def attackers(url: str, seed: int, seconds: float, results: Connection) -> None:
    """Attack from one network, in a process that leaves the processor to the server and the honest visitor."""
    os.nice(10)
    counts, until = (Counter[str](), Counter[str](), Counter[str]()), time.monotonic() + seconds

    def note(kind: str, arrived: object, back: object) -> None:
        for count, happened in zip(counts, (True, arrived, back), strict=True):
            count[kind] += bool(happened)

    def again(attack: Callable[[str, random.Random, Note], None], number: int) -> None:
        chance = random.Random(f"{seed}{attack.__name__}{number}")
        while time.monotonic() < until:
            try:
                attack(url, chance, note)
            except GONE:
                time.sleep(0.05)

    for number in range(THREADS):
        for attack in (messages, links, uploads, half_open):
            threading.Thread(target=again, args=(attack, number), daemon=True).start()
    time.sleep(seconds)
    results.send(counts)


def translating(url: str, seconds: float, chance: random.Random) -> Iterator[float]:
    """Yield how long each new sentence of an honest visitor takes."""
    with WebsocketVisitor(url, address=HONEST) as visitor:
        (field,) = [identity for identity in visitor.run("").widgets() if identity.endswith("-sentence")]
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            page = visitor.run("", "", [WidgetState(id=field, string_value=new_sentence(chance))])
            assert 'class="translation"' in page.words, "the honest visitor got no translation"
            yield page.seconds
            time.sleep(max(0.0, EVERY - page.seconds))


def main() -> None:
    seconds, seed = [*map(int, sys.argv[1:]), *(40, 7)[len(sys.argv) - 1 :]]
    chance, (ours, theirs) = random.Random(seed), Pipe()
    waits, loads = dict[str, list[float]](), dict[str, float]()

    def measure(name: str, seconds: float) -> None:
        waits[name] = [*translating(served.url, seconds, chance)]
        loads[name] = os.getloadavg()[0]

    with serve() as served:
        measure("quiet", seconds / 2)
        before = resident_megabytes(served.process)
        with ExitStack() as held:
            for number in range(IDLE):
                held.enter_context(WebsocketVisitor(served.url, address=f"192.0.2.{number % 250}"))
            Process(target=attackers, args=(served.url, seed, seconds, theirs), daemon=True).start()
            measure("attacked", seconds)
            counts = ours.recv()
        most = peak_megabytes(served.process)
        measure("quiet again", seconds / 2)
        log = served.log.read_text(encoding="utf-8", errors="replace")
    print("| kind | sent | arrived | came back |\n| --- | ---: | ---: | ---: |")
    for kind in counts[0]:
        print(f"| {kind} |", " | ".join(f"{count[kind]:,}" for count in counts), "|")
    for name, found in waits.items():
        figures = f"median {1000 * median(found):.0f} ms, worst {max(found):.2f} s, load {loads[name]:.1f}"
        print(f"{name}: {len(found)} sentences, {figures}")
    print(f"memory: {before:.0f} MB before, at most {most:.0f} MB; tracebacks: {log.count('Traceback (most')}")


if __name__ == "__main__":
    main()
