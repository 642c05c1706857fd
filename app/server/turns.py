"""Turns: how much of the server the browsers of one network may use at once, so that others get their share.

A *place* is held while a message is read and the page's script runs; a network has few, and its connections take turns.
A *budget* is a token bucket: messages beyond its rate wait. A class behind one address needs far less than either
allows.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

PLACES = 2  # runs of one network at a time: Python computes one, PyTorch another; one while others are served too
LATELY = 5.0  # seconds after the start of a run for which its network counts as served
HOLD = 2.0  # seconds after which a long run gives its place back
NETWORKS = 10_000  # networks remembered


@dataclass
class Budget:
    """A token bucket: `burst` at once, then `rate` a second. Taking more than there is leaves a debt to wait for."""

    rate: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: float = field(init=False)
    _when: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._when = self.burst, self.clock()

    def take(self, cost: float) -> float:
        """Take `cost` from the bucket and return how many seconds to wait."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._when) * self.rate) - cost
        self._when = now
        return max(0.0, -self._left / self.rate)


@dataclass
class RecentlyServed:
    """The networks served last, and when."""

    clock: Callable[[], float] = time.monotonic
    _last: tuple[object, float] = (None, -LATELY)
    _other: tuple[object, float] = (None, -LATELY)  # the latest different network before it

    def note(self, network: object) -> None:
        if self._last[0] is not network:
            self._other = self._last
        self._last = network, self.clock()

    def alone(self, network: object) -> bool:
        """Return True if no other network was served lately."""
        _, when = self._other if self._last[0] is network else self._last
        return self.clock() - when >= LATELY


@dataclass
class NetworkShare:
    """The connections of one network: those running, those waiting in line, and their message budget."""

    budget: Budget
    places: int = PLACES
    served: RecentlyServed = field(default_factory=RecentlyServed)
    _running: dict[object, asyncio.TimerHandle] = field(default_factory=dict)
    _waiting: deque[tuple[object, asyncio.Future[None]]] = field(default_factory=deque)

    def runs(self, connection: object) -> bool:
        """Return True while this connection has a place."""
        return connection in self._running

    async def begin(self, connection: object) -> None:
        """Wait for a place; a connection that has one keeps it."""
        if connection in self._running:
            return
        if len(self._running) >= self._room():
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append((connection, turn))
            try:
                await turn
            except asyncio.CancelledError:
                self.end(connection)
                raise
        else:
            self._seat(connection)

    def end(self, connection: object) -> None:
        """Give the place back, and admit the connection that has waited longest."""
        if (timer := self._running.pop(connection, None)) is not None:
            timer.cancel()
        while self._waiting and len(self._running) < self._room():
            next_one, turn = self._waiting.popleft()
            if not turn.done():
                self._seat(next_one)
                turn.set_result(None)

    def _room(self) -> int:
        return self.places if self.served.alone(self) else 1

    def _seat(self, connection: object) -> None:
        self.served.note(self)
        self._running[connection] = asyncio.get_running_loop().call_later(HOLD, self.end, connection)


class NetworkShares:
    """The shares of the latest networks, by name."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.served = RecentlyServed()
        self._known: OrderedDict[str, NetworkShare] = OrderedDict()

    def get(self, name: str) -> NetworkShare:
        if name not in self._known:
            self._known[name] = NetworkShare(Budget(self.rate, self.burst), served=self.served)
            if len(self._known) > NETWORKS:
                self._known.popitem(last=False)
        self._known.move_to_end(name)
        return self._known[name]
