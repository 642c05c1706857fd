"""Load test: many visitors at once over real websockets, on a new server or on one given by its address.

    python -m benchmarks load --visitors 40 --url https://regard.example.org

Each visitor types a new sentence every few seconds; with --mix some of them click numbers, go to other screens, search
or train meanwhile. Stepping does not involve the server. Times are from sending a message to the end of the run.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager

from benchmarks.load_report import Round, others, table, verdict
from benchmarks.load_visitor import START, Answer, LoadVisitor, VisitError
from benchmarks.process_usage import spent
from benchmarks.report import Table
from benchmarks.server import serve

VISITORS = (1, 10, 20, 40)
TRIES = 20  # of a visitor who was cut off
BETWEEN = 0.5  # seconds

ADJECTIVES = ("big", "small", "old", "new", "red", "green", "blue", "white", "black", "long", "little", "strange")
PEOPLE = ("boy", "girl", "man", "woman", "child", "king", "queen", "doctor", "teacher", "farmer", "driver", "singer")
DEEDS = ("is reading", "has found", "sees", "wants", "is selling", "likes", "is drawing", "has lost", "carries", "buys")
THINGS = ("book", "table", "car", "dog", "house", "chair", "picture", "bag", "hat", "boat", "bicycle", "letter", "door")
PLACES = ("river", "school", "garden", "window", "station", "church", "market", "lake", "bridge", "forest", "park")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--visitors", type=int, nargs="+", default=VISITORS, metavar="N", help="rounds")
    parser.add_argument("--every", type=float, default=1.0, metavar="S", help="seconds between a visitor's sentences")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="how long each round is")
    parser.add_argument("--within", type=float, metavar="S", help="seconds in which all arrive (default: --every)")
    parser.add_argument("--mix", action="store_true", help="also click numbers, change screens and train")
    parser.add_argument("--url", help="address of a running server; by default one is started")
    parser.add_argument("--process", type=int, help="its process id on this machine, to measure time and memory")
    chosen = parser.parse_args(arguments)
    with _server(chosen.url, chosen.process) as (url, process):
        rounds = []
        for visitors in chosen.visitors:
            within = chosen.every if chosen.within is None else chosen.within
            rounds.append(
                asyncio.run(measure(url, process, Round(visitors, chosen.every), chosen.seconds, within, chosen.mix))
            )
            print(table(rounds).markdown().splitlines()[-1], flush=True)
    print(f"\n{table(rounds).markdown()}")
    for name, told in others(rounds).items():
        print(f"{name}: {told}")
    print(f"\n{verdict(rounds)}")


def rounds_of_one_server() -> list[Table]:
    """Measure for `make bench`: some visitors, each with a new sentence every second."""
    with _server(None, None) as (url, process):
        rounds = [asyncio.run(measure(url, process, Round(visitors, 1.0), 15.0, 1.0, False)) for visitors in VISITORS]
    return [table(rounds)]


@contextmanager
def _server(url: str | None, process: int | None) -> Iterator[tuple[str, int | None]]:
    if url:
        yield url.rstrip("/"), process
        return
    with serve() as served:
        asyncio.run(_warm(served.url))
        yield served.url, served.process


async def _warm(url: str) -> None:
    visitor = LoadVisitor(url)
    await visitor.arrive()
    await visitor.leave()


async def measure(url: str, process: int | None, round: Round, seconds: float, within: float, mix: bool) -> Round:
    """Measure visitors who arrive within `within` seconds and go on for `seconds` after that."""
    before, began = spent(process), time.perf_counter()
    until = began + within + seconds
    visits = (_visit(url, round, until, within * place / round.visitors, mix, place) for place in range(round.visitors))
    await asyncio.gather(*visits)
    round.seconds = time.perf_counter() - began - within / 2
    after = spent(process)
    round.processor, round.memory = after[0] - before[0], after[1]
    return round


async def _visit(url: str, round: Round, until: float, wait: float, mix: bool, place: int) -> None:
    visitor, chance = LoadVisitor(url), random.Random(f"{time.time()} {place}")
    sentence = ""
    await asyncio.sleep(wait)
    try:
        round.times["arrive"].append((await visitor.arrive()).seconds)
        while (began := time.perf_counter()) < until:
            sentence = new_sentence(chance)
            try:
                await _ask(visitor, sentence, round)
                if mix:
                    await _look_around(visitor, chance, round)
            except OSError:
                await _come_back(visitor, sentence, round)
            await asyncio.sleep(max(0.0, round.every - (time.perf_counter() - began)))
        await visitor.leave()
    except (VisitError, TimeoutError, OSError) as error:
        round.failed.append(f"{type(error).__name__}: {error}"[:200])


async def _ask(visitor: LoadVisitor, sentence: str, round: Round) -> None:
    answer = await visitor.translate(sentence)
    if 'class="translation"' not in answer.texts:
        raise VisitError(f"{sentence!r} was not translated")
    round.times["translate"].append(answer.seconds)
    round.received.append(answer.received)


async def _look_around(visitor: LoadVisitor, chance: random.Random, round: Round) -> None:
    """Open a number half of the time, another screen sometimes, and rarely start a training."""
    wish = chance.random()
    if wish < 0.5:
        await _timed(round, "open a number", visitor.open_number(chance.randrange(4)))
    elif wish < 0.6:
        screen = chance.choice(("compare", "beam", "sampling", "alignment", "watch"))
        await _timed(round, f"go to {screen}", visitor.go(screen))
        if screen == "watch" and chance.random() < 0.1:
            await _timed(round, "start a training", visitor.press(START))
        await _timed(round, "go back", visitor.go(""))


async def _timed(round: Round, name: str, doing: Awaitable[Answer]) -> None:
    round.times[name].append((await doing).seconds)


async def _come_back(visitor: LoadVisitor, sentence: str, round: Round) -> None:
    """Reconnect as a browser does, and send the sentence from the page that is still open."""
    began = time.perf_counter()
    for _ in range(TRIES):
        try:
            await visitor.connect()
            answer = await visitor.translate(sentence)
        except (OSError, TimeoutError):
            await asyncio.sleep(BETWEEN)
            continue
        if 'class="translation"' not in answer.texts:
            raise VisitError(f"{sentence!r} was lost with the connection")
        round.back.append(time.perf_counter() - began)
        return
    raise VisitError("the server did not come back")


def new_sentence(chance: random.Random) -> str:
    """Return one of two hundred thousand sentences of nine or ten words."""
    person, thing, place = chance.choice(PEOPLE), chance.choice(THINGS), chance.choice(PLACES)
    return f"The {chance.choice(ADJECTIVES)} {person} {chance.choice(DEEDS)} a {thing} near the {place}."
