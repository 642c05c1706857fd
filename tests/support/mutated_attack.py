"""Mutations of what once froze the server for all, sent without a pause while one honest visitor translates.

    python -m tests.support.mutated_attack [SECONDS [SEED]]

Messages of many states, uploads that announce much or trickle, files of equal links, idle and half-open connections. It
prints how much was sent, arrived (had an effect on the server that can be seen) and came back (as a page or as an
answer), the honest visitor's waits without and with it, and the server's memory; at last it kills the server.
"""

import os
import random
import signal
import socket
import sys
import threading
import time
import urllib.error
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from statistics import median
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import WebSocketException

from benchmarks.load import new_sentence
from benchmarks.process_usage import peak_megabytes, resident_megabytes
from benchmarks.server import serve
from benchmarks.websocket_visitor import Page, WebsocketVisitor
from tests.support.attack import tracebacks

HONEST, ATTACKERS = "198.51.100.7", "203.0.113.7"  # where they come from
THREADS = 3  # of each kind of attack
IDLE = 300  # connections that say nothing
EVERY = 0.5  # seconds between two sentences of the honest visitor
GONE = (WebSocketException, OSError, urllib.error.URLError, EOFError)


class Counted:
    """Counts by kind of attack; thread-safe enough, as each thread has kinds of its own."""

    def __init__(self) -> None:
        self.sent, self.arrived, self.back = Counter[str](), Counter[str](), Counter[str]()

    def note(self, kind: str, arrived: object, back: object) -> None:
        self.sent[kind] += 1
        self.arrived[kind] += bool(arrived)
        self.back[kind] += bool(back)


def messages(url: str, chance: random.Random, counted: Counted, address: str) -> None:
    """Send one message of states: of one field or many, nested, empty or long, up to 19 MB."""
    with WebsocketVisitor(url, address=address) as visitor:
        ids = _fields(visitor.run(""))
        for _ in range(chance.randint(1, 12)):
            message = BackMsg()
            fields = chance.choice([ids[:1], ids, [f"{ids[0]}{number}" for number in range(400)]])
            content = "[" + "[]," * chance.choice([0, 90, 19_000]) + "[" * chance.choice([0, 9, 900]) + "]"
            for number in range(chance.choice([1, 20, 335])):
                state = WidgetState(id=fields[number % len(fields)])
                setattr(state, chance.choice(["json_value", "json_trigger_value", "string_value"]), content)
                message.rerun_script.widget_states.widgets.append(state)
            empty = chance.choice([b"\x5a\x80\x40" + b"\x0a\x00" * 2**12, b"\x5a\x80\x80\x40" + b"\x0a\x00" * 2**19])
            said = message.SerializeToString() if chance.random() < 0.8 else empty
            ended = _finished(visitor, said)
            counted.note("messages", ended != "silent", ended == "finished")
            if ended != "finished":
                return


def _fields(page: Page) -> list[str]:
    """Return the ids of a page's fields; raises ConnectionError for one that was refused."""
    found = [*page.widgets()]
    if not found:
        raise ConnectionError("the network of this attacker is refused for now")
    return found


def _finished(visitor: WebsocketVisitor, said: bytes) -> str:
    """Return what became of a message: its run is finished, the connection closed, or the server silent."""
    try:
        visitor.send(said)
        while ForwardMsg.FromString(visitor.connection.recv(60, decode=False)).WhichOneof("type") != "script_finished":
            pass
    except TimeoutError:
        return "silent"
    except GONE:
        return "closed"
    return "finished"


def links(url: str, chance: random.Random, counted: Counted, address: str) -> None:
    """Bring a file of equal links, on lines of other lengths."""
    with WebsocketVisitor(url, address=address) as visitor:
        page = visitor.run("attention_files", "opened_from=A+file")
        (field,) = [identity for identity in _fields(page) if identity.endswith("-foreign_file")]
        pair, count = chance.choice([b"0-0 ", b"149-149 ", b"0p0 "]), chance.choice([400, 22_400])
        content = (pair * count + b"\n") * chance.randint(1, 19_000_000 // (len(pair) * count))
        state = visitor.upload(field, "links.txt", content)
        page = visitor.run("attention_files", "opened_from=A+file", [state])
        counted.note("files of equal links", visitor.answers, visitor.arrived and not (page.closed or page.exceptions))


def uploads(url: str, chance: random.Random, counted: Counted, address: str) -> None:
    """Announce 64 MB and bring a few bytes, or none; or four files of one byte of a visit that is left at once."""
    with WebsocketVisitor(url, address=address) as visitor:
        visitor.run("model_import")
        if chance.random() < 0.5:
            for number in range(4):
                visitor.upload(f"field{number}", f"{number}.zip", b"x")
            counted.note("small files of visits that leave", sum(visitor.answers.values()) == 4, visitor.arrived)
            return
        lines = [f"PUT /_stcore/upload_file/{visitor.session}/{chance.randrange(9**9)} HTTP/1.1", "Host: 127.0.0.1"]
        token = visitor.cookie.partition("=")[2]
        lines += [f"Cookie: {visitor.cookie}", f"X-Xsrftoken: {token}", f"X-Forwarded-For: {address}"]
        lines += ["Content-Type: multipart/form-data; boundary=part", "Content-Length: 64000000", "", ""]
        with _connected(url) as half:
            half.sendall("\r\n".join(lines).encode() + b"--part" * chance.randint(0, 200))
            half.settimeout(45)
            answer = half.recv(200)
            counted.note("half-open uploads", answer or True, answer.startswith(b"HTTP/1.1 4"))


def half_open(url: str, chance: random.Random, counted: Counted, address: str) -> None:
    """Begin requests that never end, and heartbeats of a visit that asks for nothing."""
    with ExitStack() as held:
        opened = [held.enter_context(_connected(url)) for _ in range(40)]
        for one in opened:
            one.sendall(f"GET / HTTP/1.1\r\nHost: {'a' * chance.randint(0, 2000)}".encode())
            counted.note("half-open requests", True, False)
        with WebsocketVisitor(url, address=address) as visitor:
            for _ in range(400):
                visitor.send(BackMsg(app_heartbeat=True))
            page = visitor.run("glossary")
            counted.note("visits of 400 heartbeats", page.closed or page.messages, not page.closed)
        time.sleep(5)


def _connected(url: str) -> socket.socket:
    place = urlsplit(url)
    return socket.create_connection((place.hostname or "", place.port or 80), timeout=60)


def attackers(url: str, seed: int, seconds: float, told: Connection) -> None:
    """Attack from one network, in a process that leaves the processor to the server and the honest visitor."""
    os.nice(10)
    counted, until = Counted(), time.monotonic() + seconds

    def again(attack: Callable[..., None], chance: random.Random, address: str) -> None:
        while time.monotonic() < until:
            try:
                attack(url, chance, counted, address)
            except GONE:
                time.sleep(0.05)

    for number in range(THREADS):
        for attack in (messages, links, uploads, half_open):
            about = attack, random.Random(f"{seed}{attack.__name__}{number}"), ATTACKERS
            threading.Thread(target=again, args=about, daemon=True).start()
    time.sleep(seconds)
    told.send(counted)


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
    seconds, seed = [*map(int, sys.argv[1:]), *(120, 7)[len(sys.argv) - 1 :]]
    chance, (ours, theirs) = random.Random(seed), Pipe()
    with serve() as served, ExitStack() as held:
        quiet = [*translating(served.url, seconds / 2, chance)]
        before = resident_megabytes(served.process)
        for number in range(IDLE):
            held.enter_context(WebsocketVisitor(served.url, address=f"192.0.2.{number % 250}"))
        attacking = Process(target=attackers, args=(served.url, seed, seconds, theirs), daemon=True)
        attacking.start()
        busy = [*translating(served.url, seconds, chance)]
        counted: Counted = ours.recv()
        most, ended = peak_megabytes(served.process), tracebacks(served.log)
        os.kill(served.process, signal.SIGKILL)  # in the middle
        attacking.kill()
        print("| kind | sent | arrived | came back |\n| --- | ---: | ---: | ---: |")
        print(f"| idle connections | {IDLE} | {IDLE} | 0 |")
        for kind in counted.sent:
            print(f"| {kind} | {counted.sent[kind]:,} | {counted.arrived[kind]:,} | {counted.back[kind]:,} |")
        for name, waits in (("quiet", quiet), ("attacked", busy)):
            print(f"{name}: {len(waits)} sentences, median {1000 * median(waits):.0f} ms, worst {max(waits):.2f} s")
        print(f"memory: {before:.0f} MB before, at most {most:.0f} MB; tracebacks: {len(ended)} {Counter(ended)}")


if __name__ == "__main__":
    main()
