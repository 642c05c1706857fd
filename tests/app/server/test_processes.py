"""Room: words that are still being typed are translated only while the server has processor time to spare."""

from itertools import accumulate

from regard.app.server.processes import RoomToSpare


def free(shares: list[float], every: float = 1.0) -> list[bool]:
    """Return whether there is room after each span, given what share of a core the server computed in it."""
    now = [0.0]
    used = [0.0, *accumulate(share * every for share in shares)]
    room = RoomToSpare(lambda: now[0], lambda: used[round(now[0] / every)])
    found = []
    for place in range(len(shares)):
        now[0] = (place + 1) * every
        found.append(room.is_free())
    return found


def test_there_is_room_until_half_a_core_is_busy_and_again_afterwards() -> None:
    assert free([0.0, 0.3, 0.6, 1.4, 0.45, 0.1]) == [True, True, False, False, True, True]


def test_a_burst_within_a_span_counts_when_the_span_is_over() -> None:
    assert free([1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], every=0.25) == [True] * 3 + [False] * 4 + [True]
