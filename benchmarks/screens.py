"""Cost to the server of a visit to each screen, and of a new sentence there."""

import asyncio
import random
from statistics import median

from benchmarks.load import new_sentence
from benchmarks.load_visitor import SENTENCE, LoadVisitor
from benchmarks.process_usage import spent
from benchmarks.report import Table
from benchmarks.server import serve
from regard.app.navigation import SCREENS

VISITS = 5


def measure() -> list[Table]:
    with serve() as served:
        rows = asyncio.run(_rows(served.url, served.process))
    return [
        Table(
            "What the screens cost the server",
            "Milliseconds of processor time for a visit that shows a screen again, and for a new sentence of nine or "
            f"ten words typed there; medians of {VISITS}, in steps of 10. A dash marks screens without a sentence.",
            ("screen", "a visit", "a new sentence"),
            rows,
        )
    ]


async def _rows(url: str, process: int) -> tuple[tuple[str, ...], ...]:
    visitor, chance = LoadVisitor(url), random.Random(1)
    await visitor.arrive()
    rows = []
    for name in SCREENS:
        await visitor.go(name if name in visitor.screens else "")
        visits, asks = [], []
        for _ in range(VISITS):
            before = spent(process)[0]
            await visitor.go(name if name in visitor.screens else "")
            visits.append(spent(process)[0] - before)
            if f"text_input {SENTENCE}" in visitor.elements:
                before = spent(process)[0]
                await visitor.translate(new_sentence(chance))
                asks.append(spent(process)[0] - before)
        rows.append((name, _milliseconds(visits), _milliseconds(asks)))
    await visitor.leave()
    return tuple(rows)


def _milliseconds(seconds: list[float]) -> str:
    return f"{1000 * median(seconds):,.0f}" if seconds else "–"
