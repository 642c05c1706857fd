"""Turns: one round over all visitors, so that whoever has just been served waits behind those who have not.

The pages' scripts compute on one interpreter, so few run at a time. A *place* is held while a message is read and the
script runs; the next one goes to the network that was served longest ago, and within a network to the connection that
was. A network has one place while others are served and never all places, so somebody new finds one at once.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

PLACES = 3  # runs at a time: Python computes one, PyTorch another, and one is free for whoever comes
OF_ONE = 2  # of one network, or 1 while another was served lately
LATELY = 5.0  # seconds after the start of a run for which its network counts as served
HOLD = 2.0  # seconds after which a long run gives its place back
REMEMBERED = 10_000  # networks and connections whose last turn is remembered


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


class Turns:
    """The connections that run and those that wait."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._running: dict[object, tuple[str, asyncio.TimerHandle]] = {}
        self._waiting: dict[object, tuple[str, asyncio.Future[None]]] = {}
        self._served: OrderedDict[object, float] = OrderedDict()  # when each (network,) and connection last began

    def runs(self, connection: object) -> bool:
        """Return True while this connection has a place."""
        return connection in self._running

    async def begin(self, connection: object, network: str) -> None:
        """Wait for a place; a connection that has one keeps it."""
        if connection in self._running:
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting[connection] = network, turn
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            self.end(connection)
            raise

    def end(self, connection: object) -> None:
        """Give the place back, or leave the line, and admit the next."""
        if (running := self._running.pop(connection, None)) is not None:
            running[1].cancel()
        self._waiting.pop(connection, None)
        self._admit()

    def _admit(self) -> None:
        while len(self._running) < PLACES:
            waiting = self._waiting
            ready = [one for one, (network, turn) in waiting.items() if not turn.done() and self._has_room(network)]
            if not ready:
                return
            connection = min(ready, key=lambda one: (self._last((waiting[one][0],)), self._last(one)))
            network, turn = waiting.pop(connection)
            self._running[connection] = network, asyncio.get_running_loop().call_later(HOLD, self.end, connection)
            for served in ((network,), connection):
                self._served[served] = self.clock()
                self._served.move_to_end(served)
            while len(self._served) > REMEMBERED:
                self._served.popitem(last=False)
            turn.set_result(None)

    def _last(self, served: object) -> float:
        return self._served.get(served, -LATELY)

    def _has_room(self, network: str) -> bool:
        """Return True if this network may run one more."""
        running = sum(where == network for where, _ in self._running.values())
        if running == 0:
            return True
        others = (one for one in reversed(self._served) if isinstance(one, tuple) and one != (network,))
        alone = self.clock() - self._last(next(others, None)) >= LATELY
        return alone and running < OF_ONE
