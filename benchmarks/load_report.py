"""Report of the load test: what many visitors saw, in percentiles, and whether the server is good for a class."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import quantiles

from benchmarks.report import Table

GOOD = 1.0  # seconds within which 95 of 100 translations are there, on a server that is good for a class
CLASS_PACE = 10  # seconds between two sentences of somebody who looks at each


@dataclass
class Round:
    """One round's experience of so many visitors: seconds, by action."""

    visitors: int
    every: float
    seconds: float = 0.0
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    received: list[int] = field(default_factory=list)  # bytes of each translation
    failed: list[str] = field(default_factory=list)
    back: list[float] = field(default_factory=list)  # seconds until those who were cut off had their sentence again
    processor: float = 0.0  # seconds of the server
    memory: float = 0.0  # megabytes of the server at the end

    @property
    def rate(self) -> float:
        """Translations a second."""
        return len(self.times["translate"]) / self.seconds

    @property
    def good(self) -> bool:
        """True if a class would be content: nothing failed, and hardly anybody waited."""
        return not self.failed and bool(self.times["translate"]) and spread(self.times["translate"])[1] <= GOOD


def spread(times: Sequence[float]) -> tuple[float, float, float]:
    """Median, 95th and 99th percentile."""
    if len(times) < 2:
        alone = times[0] if times else 0.0
        return alone, alone, alone
    steps = quantiles(times, n=100, method="inclusive")
    return steps[49], steps[94], steps[98]


def table(rounds: Sequence[Round]) -> Table:
    """A row a round; milliseconds."""
    rows = []
    for one in rounds:
        median, slow, slowest = (f"{1000 * value:,.0f}" for value in spread(one.times["translate"]))
        count = max(1, len(one.times["translate"]))
        cost = f"{1000 * one.processor / count:.0f}" if one.processor else "–"
        size = f"{sum(one.received) / count / 1000:.0f}"
        memory = f"{one.memory:.0f}" if one.memory else "–"
        rows.append(
            (str(one.visitors), median, slow, slowest, f"{one.rate:.1f}", cost, size, memory, str(len(one.failed)))
        )
    every = f"{rounds[0].every:g}"
    return Table(
        "Visitors who translate at once",
        f"Each sends a new sentence of nine or ten words every {every} s over a websocket of its own; milliseconds "
        "from sending it to the end of the run. The processor time is the server's, of all that was asked meanwhile, "
        "for each translation.",
        (
            "visitors", "median", "95 %", "99 %", "translations a second", "processor, ms", "kB", "memory, MB",
            "failed",
        ),
        tuple(rows),
    )  # fmt: skip


def others(rounds: Sequence[Round]) -> dict[str, str]:
    """Medians and 95th percentiles of what else was done, in the last round; and what went wrong."""
    last = rounds[-1]
    done = {name: spread(times) for name, times in last.times.items() if name != "translate" and times}
    told = {name: f"{1000 * median:,.0f} ms, 95 % {1000 * slow:,.0f} ms" for name, (median, slow, _) in done.items()}
    if last.back:
        told["cut off and back"] = f"{len(last.back)}, the last after {max(last.back):.1f} s"
    failed = [reason for one in rounds for reason in one.failed]
    return told | {f"failed ({failed.count(reason)} times)": reason for reason in dict.fromkeys(failed)}


def verdict(rounds: Sequence[Round]) -> str:
    """The plain answer, from the largest round that went well."""
    well = [one for one in rounds if one.good]
    if not well:
        return f"Not good for a class: with {rounds[0].visitors} visitors more than 5 of 100 waited over {GOOD:g} s."
    best = max(well, key=lambda one: one.rate)
    people = int(best.rate * CLASS_PACE)
    return (
        f"Good for {people} people who translate every {CLASS_PACE} seconds: as many sentences a second were tried, by "
        f"{best.visitors} visitors; 95 of 100 were there within {1000 * spread(best.times['translate'])[1]:,.0f} ms."
    )
