import asyncio

import pytest

from regard.app.server import turns
from regard.app.server.turns import Budget, NetworkShare, NetworkShares
from tests.support.event_loop import run_coroutine


def network(places: int = 2) -> NetworkShare:
    return NetworkShare(Budget(1.0, 1.0), places)


def test_of_many_connections_two_run_and_the_others_wait_in_line() -> None:
    async def crowd() -> list[int]:
        line, order, running = network(), list[int](), set[int]()

        async def visit(number: int) -> None:
            await line.begin(number)
            running.add(number)
            assert len(running) <= 2
            order.append(number)
            await asyncio.sleep(0.001)
            running.remove(number)
            line.end(number)

        await asyncio.gather(*(visit(number) for number in range(20)))
        return order

    assert run_coroutine(crowd()) == [*range(20)]


def test_while_another_network_is_served_one_runs_at_a_time() -> None:
    now = 0.0

    async def runs(line: NetworkShare) -> int:
        visits = [asyncio.create_task(line.begin(number)) for number in range(3)]
        await asyncio.sleep(0)
        running = sum(map(line.runs, range(3)))
        for number in range(3):
            await asyncio.sleep(0)
            line.end(number)
        await asyncio.gather(*visits)
        return running

    async def two() -> list[int]:
        nonlocal now
        known = NetworkShares(1.0, 1.0)
        known.served.clock = lambda: now
        crowd, other = known.get("a"), known.get("b")
        alone = await runs(crowd)
        await other.begin("anne")
        other.end("anne")
        beside = [await runs(crowd), await runs(crowd)]
        now = turns.LATELY
        return [alone, *beside, await runs(crowd)]

    assert run_coroutine(two()) == [2, 1, 1, 2]


def test_who_has_a_place_keeps_it() -> None:
    async def again() -> None:
        line = network(1)
        for _ in range(3):
            async with asyncio.timeout(1):
                await line.begin("anne")

    run_coroutine(again())


def test_a_run_that_goes_on_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "HOLD", 0.01)

    async def long_run() -> None:
        line = network(1)
        await line.begin("anne")
        async with asyncio.timeout(1):
            await line.begin("ben")

    run_coroutine(long_run())


def test_who_leaves_the_line_holds_nobody_up() -> None:
    async def leave() -> None:
        line = network(1)
        await line.begin("anne")
        waiting = asyncio.create_task(line.begin("ben"))
        after = asyncio.create_task(line.begin("clara"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        line.end("anne")
        async with asyncio.timeout(1):
            await after
        assert line.runs("clara")
        assert not line.runs("ben")

    run_coroutine(leave())


def test_a_budget_lets_a_burst_through_and_then_its_rate() -> None:
    now = 0.0
    budget = Budget(rate=2.0, burst=4.0, clock=lambda: now)
    assert [budget.take(1) for _ in range(6)] == [0, 0, 0, 0, 0.5, 1.0]
    now = 10.0
    assert budget.take(4) == 0
    assert budget.take(1) == 0.5


def test_networks_are_remembered_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "NETWORKS", 2)
    known = NetworkShares(1.0, 1.0)
    first = known.get("a")
    known.get("b")
    assert known.get("a") is first
    known.get("c")
    assert known.get("a") is first
    assert known.get("b") is known.get("b")
