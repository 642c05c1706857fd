"""Report of the load test: waiting times in percentiles, and the size of the class that the server is good for."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import quantiles

from benchmarks.report import Table

GOOD = 1.0  # seconds within which a server that is good for a class answers 95% of the time
CLASS_PACE = 10  # seconds between two sentences of a visitor who looks at each


@dataclass
class Round:
    """One round of the test: its visitors' waiting times in seconds, by action."""

    visitors: int
    every: float
    seconds: float = 0.0
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    received: list[int] = field(default_factory=list)  # bytes of each translation
    failed: list[str] = field(default_factory=list)
    back: list[float] = field(default_factory=list)  # seconds until visitors who were cut off had their sentence again
    processor: float = 0.0  # seconds, of the server
    memory: float = 0.0  # megabytes, of the server at the end

    @property
    def rate(self) -> float:
        """Return the translations per second."""
        return len(self.times["translate"]) / self.seconds

    @property
    def good(self) -> bool:
        """Return True if nothing failed and 95% of the translations came within GOOD seconds."""
        return not self.failed and bool(self.times["translate"]) and spread(self.times["translate"])[1] <= GOOD


def spread(times: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 95th and the 99th percentile."""
    if len(times) < 2:
        alone = times[0] if times else 0.0
        return alone, alone, alone
    steps = quantiles(times, n=100, method="inclusive")
    return steps[49], steps[94], steps[98]


def table(rounds: Sequence[Round]) -> Table:
    """Return the table in milliseconds, a row for each round."""
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
        "from sending it to the end of the run. The processor time is the server's for all requests meanwhile, "
        "divided by the translations; it and the memory include those of the translator process, which a busy server "
        "starts seconds after the beginning of a round.",
        (
            "visitors", "median", "95%", "99%", "translations a second", "processor, ms", "kB", "memory, MB",
            "failed",
        ),
        tuple(rows),
    )  # fmt: skip


def others(rounds: Sequence[Round]) -> dict[str, str]:
    """Return medians and 95th percentiles of the last round's other actions, and the failures of all rounds."""
    last = rounds[-1]
    done = {name: spread(times) for name, times in last.times.items() if name != "translate" and times}
    told = {name: f"{1000 * median:,.0f} ms, 95% {1000 * slow:,.0f} ms" for name, (median, slow, _) in done.items()}
    if last.back:
        told["cut off and back"] = f"{len(last.back)}, the last after {max(last.back):.1f} s"
    failed = [reason for one in rounds for reason in one.failed]
    return told | {f"failed ({failed.count(reason)} times)": reason for reason in dict.fromkeys(failed)}


def verdict(rounds: Sequence[Round]) -> str:
    """Return how large a class the server is good for, judged by the fastest good round."""
    well = [one for one in rounds if one.good]
    if not well:
        return f"Not good for a class: with {rounds[0].visitors} visitors more than 5% waited over {GOOD:g} s."
    best = max(well, key=lambda one: one.rate)
    people = int(best.rate * CLASS_PACE)
    return (
        f"Good for {people} people who translate every {CLASS_PACE} seconds: {best.visitors} visitors sent as many a "
        f"second; 95% were translated within {1000 * spread(best.times['translate'])[1]:,.0f} ms."
    )
