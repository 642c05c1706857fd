import asyncio

import pytest

from regard.app.server import turns
from regard.app.server.turns import LATELY, PLACES, Budget, Turns
from tests.support.event_loop import run_coroutine


async def order(line: Turns, *asked: tuple[str, str]) -> list[str]:
    """Have connections of networks ask at once, each for a short run; return them in the order of service."""
    served: list[str] = []

    async def visit(connection: str, network: str) -> None:
        await line.begin(connection, network)
        served.append(connection)
        await asyncio.sleep(0.001)
        line.end(connection)

    await asyncio.gather(*(visit(*one) for one in asked))
    return served


@pytest.mark.parametrize("networks", [1, 10, 20])
def test_one_who_was_not_served_lately_goes_before_all_who_were(networks: int) -> None:
    async def visits() -> list[str]:
        line = Turns()
        crowd = [(f"{number}", f"network {number % networks}") for number in range(40)]
        await order(line, *crowd)
        return await order(line, *crowd, ("anne", "another"))

    assert "anne" in run_coroutine(visits())[: PLACES + 1]


def test_while_another_network_is_served_one_runs_at_a_time() -> None:
    now = 0.0

    async def running(line: Turns) -> int:
        visits = [asyncio.create_task(line.begin(number, "a")) for number in range(3)]
        await asyncio.sleep(0)
        found = sum(map(line.runs, range(3)))
        for number in range(3):
            await asyncio.sleep(0)
            line.end(number)
        await asyncio.gather(*visits)
        return found

    async def two() -> list[int]:
        nonlocal now
        line = Turns(lambda: now)
        alone = await running(line)
        await line.begin("anne", "b")
        line.end("anne")
        beside = await running(line)
        now = LATELY
        return [alone, beside, await running(line)]

    assert run_coroutine(two()) == [2, 1, 2]


def test_who_has_a_place_keeps_it_and_a_run_that_goes_on_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "HOLD", 0.01)

    async def long_run() -> None:
        line = Turns()
        async with asyncio.timeout(1):
            for connection in ("anne", "anne", "ben", "clara"):
                await line.begin(connection, "a")

    run_coroutine(long_run())


def test_a_budget_lets_a_burst_through_and_then_its_rate() -> None:
    now = 0.0
    budget = Budget(rate=2.0, burst=4.0, clock=lambda: now)
    assert [budget.take(1) for _ in range(6)] == [0, 0, 0, 0, 0.5, 1.0]
    now = 10.0
    assert budget.take(4) == 0
    assert budget.take(1) == 0.5
