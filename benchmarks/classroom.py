"""A class on one process: phones that answer, a step that all of them are to show, and a visitor beside them.

    python -m benchmarks classroom --phones 150

The phones send what a page sends: a beat every second or two while their class is on view.
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import Sequence
from statistics import median, quantiles
from urllib.parse import urlencode

from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load import new_sentence
from benchmarks.load_visitor import Answer, LoadVisitor
from benchmarks.process_usage import spent
from benchmarks.report import Table
from benchmarks.server import serve

PHONES = 150
SECONDS = 20.0  # of answering
EVERY = 2.0  # seconds between sentences of the visitor beside the class
SOON = 1.0  # seconds between two beats while a vote is open


class Phone(LoadVisitor):
    """A student's phone, or the teacher's browser."""

    async def open(self, screen: str, **link: str) -> Answer:
        await self.arrive()
        self.page, self.elements, self.query = self.screens[screen], {}, urlencode(link)
        return await self._ask()

    async def beat(self) -> Answer:
        name, fragment = self._element("bidi_component", "pulse")
        said = json.dumps([{"event": "beat", "value": {"nonce": time.time_ns() // 10**6, "step": None}}])
        trigger = WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{name}__events", json_trigger_value=said)
        return await self._ask(trigger, fragment)

    async def choose(self, vote: str, option: str) -> Answer:
        name, fragment = self._element("button_group", f"vote-{vote}")
        return await self._ask(WidgetState(id=name, string_array_value=StringArray(data=[option])), fragment)


async def measure(url: str, process: int, phones: int) -> list[tuple[str, str]]:
    """Return what was measured, by name."""
    beside = LoadVisitor(url)
    await beside.arrive()
    quiet = await _translations(beside, SECONDS / 2)
    teacher = Phone(url)
    await teacher.open("classroom")
    code = (await teacher.press("Start a class")).texts.split("join?code=")[1][:6]
    teacher.query = urlencode({"code": code})
    students = [Phone(url) for _ in range(phones)]
    began = time.perf_counter()
    for some in range(0, phones, 10):
        await asyncio.gather(*(student.open("join", code=code) for student in students[some : some + 10]))
    joined = time.perf_counter() - began
    await teacher.press("Ask the class")
    before, began = spent(process), time.perf_counter()
    visits = [_student(student, SECONDS) for student in students]
    busy, answered = await asyncio.gather(_translations(beside, SECONDS), asyncio.gather(*visits))
    after, seconds = spent(process), time.perf_counter() - began
    received = [one for one in answered if one is not None]
    return [
        ("phones", f"{phones}, of which {len(received)} answered"),
        ("all joined after", f"{joined:.1f} s"),
        ("an answer shown as received", f"{_ms(received)}; 95th percentile {_ms(quantiles(received, n=20)[-1:])}"),
        ("a visitor's sentence before", _ms(quiet)),
        ("a visitor's sentence meanwhile", _ms(busy)),
        ("processor", f"{(after[0] - before[0]) / seconds:.0%} of a core"),
        ("the class closed on all phones after", f"{await _closing(teacher, students):.1f} s"),
    ]


async def _student(student: Phone, seconds: float) -> float | None:
    """Follow the class and answer once, at any moment. Return the seconds until the answer was shown as received."""
    until = time.perf_counter() + seconds
    answers = time.perf_counter() + random.random() * seconds * 0.8
    took = None
    while time.perf_counter() < until:
        await asyncio.sleep(SOON * random.uniform(0.9, 1.1))
        answer = await student.beat()
        if took is None and time.perf_counter() > answers:
            answer = await student.choose("1.1", random.choice(("love", "you")))
            took = answer.seconds if "Your answer is received" in answer.texts else None
    return took


async def _closing(teacher: Phone, students: Sequence[Phone]) -> float:
    """Return the seconds from the teacher's press until every phone shows it."""
    began = time.perf_counter()
    await teacher.press("Close the vote")

    async def hears(student: Phone) -> None:
        await asyncio.sleep(random.random() * SOON)
        while "The vote is closed" not in (await student.beat()).texts:
            await asyncio.sleep(SOON)

    await asyncio.gather(*map(hears, students))
    return time.perf_counter() - began


async def _translations(visitor: LoadVisitor, seconds: float) -> list[float]:
    until, took = time.perf_counter() + seconds, []
    chance = random.Random(1)
    while time.perf_counter() < until:
        took.append((await visitor.translate(new_sentence(chance))).seconds)
        await asyncio.sleep(EVERY)
    return took


def _ms(times: Sequence[float]) -> str:
    return f"{median(times) * 1000:.0f} ms"


def tables(phones: int = PHONES) -> list[Table]:
    """Measure for `make bench`."""
    with serve() as served:
        rows = asyncio.run(measure(served.url, served.process, phones))
    how = "Phones over real websockets, each with a beat a second; a visitor beside them has a new sentence every 2 s."
    return [Table("A class", how, ("", "measured"), tuple(rows))]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks classroom", description=__doc__)
    parser.add_argument("--phones", type=int, default=PHONES)
    print(tables(parser.parse_args(arguments).phones)[0].markdown())
