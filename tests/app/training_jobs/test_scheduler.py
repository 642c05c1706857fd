import re
import stat
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.server.visits import Visitor, share
from regard.app.training_jobs.scheduler import MOST_OF_ONE, ON_REQUEST, WAITING, Job, Scheduler, extended, in_turn
from regard.model.checkpoint import load
from regard.model.synthetic.trainer import Note
from tests.support.short_trainings import (
    LONG,
    SHORT,
    last,
    look,
    looked_at,
    process_of,
    reach,
    until,
    updates,
    wait_for,
    wait_until_gone,
)

Open = Callable[..., Scheduler]


@pytest.fixture
def open_scheduler(tmp_path: Path) -> Iterator[Open]:
    """Open one, or several in a row, each closed at the end: `open_scheduler(slots=2)`."""
    opened: list[Scheduler] = []

    def open_one(slots: int = 1, limit: float = 600.0, patience: float = 60.0, grace: float = 0.1) -> Scheduler:
        opened.append(Scheduler(tmp_path / "runs", slots, limit, patience, grace))
        return opened[-1]

    yield open_one
    for scheduler in opened:
        scheduler.close()


def test_a_training_does_what_it_is_told(open_scheduler: Open) -> None:
    scheduler = open_scheduler()
    run = scheduler.submit([LONG], paused=True)
    view = reach(scheduler, run, "paused")
    assert view.runs[0].notes == ()
    for update in (1, 2, 3):
        scheduler.tell(run, "step")
        view = until(scheduler, run, lambda view, update=update: looked_at(view)[-1:] == [update])
        assert (view.state, updates(view)) == ("paused", list(range(1, update + 1)))

    scheduler.tell(run, "resume")
    until(scheduler, run, lambda view: last(view) >= 50)
    scheduler.tell(run, "pause")
    reach(scheduler, run, "paused")
    held = looked_at(until(scheduler, run, lambda view: looked_at(view)[-1] >= last(view)))[-1]
    sleep(0.3)
    assert looked_at(reach(scheduler, run, "paused"))[-1] == held

    scheduler.tell(run, "stop")
    (seen,) = reach(scheduler, run, "stopped").runs
    assert seen.model is not None
    assert load(seen.model).config == LONG.config()
    scheduler.tell(run, "step")
    assert last(until(scheduler, run, lambda view: last(view) > held)) == held + 1


def test_who_asks_when_too_many_wait_is_refused_with_a_reason(open_scheduler: Open) -> None:
    scheduler = open_scheduler(slots=0)
    runs = [scheduler.submit([LONG]) for _ in range(WAITING)]
    assert look(scheduler, runs[-1]).place == WAITING
    with pytest.raises(ValueError, match=f"{WAITING} trainings are waiting already. Try again in a few minutes"):
        scheduler.submit([LONG])
    scheduler.tell(runs[0], "stop")
    assert look(scheduler, runs[0]).state == "stopped"
    assert look(scheduler, runs[-1]).place == WAITING - 1
    scheduler.submit([LONG])
    scheduler.tell(runs[0], "resume")
    assert "Try again" in look(scheduler, runs[0]).reason


def test_a_job_is_known_only_by_a_name_that_nobody_guesses(open_scheduler: Open, tmp_path: Path) -> None:
    scheduler = open_scheduler(slots=0)
    run, other = scheduler.submit([SHORT]), scheduler.submit([SHORT])
    assert re.fullmatch(r"[\w-]{43}", run)
    for name in ("", "..", "../runs", f"{run}/", f"{run}/../{other}", run[:-1], run.upper(), "\0", "é" * 10_000):
        assert scheduler.look(name) is None
        scheduler.tell(name, "stop")
    for command in ("", "leave", "STOP", "stop\n", '{"stop": 1}', "\0"):
        scheduler.tell(run, command)
    assert look(scheduler, run).state == look(scheduler, other).state == "waiting"
    for folder in (tmp_path / "runs", *(tmp_path / "runs").iterdir()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_paused_training_gives_its_slot_to_who_waits_and_gets_it_back(open_scheduler: Open) -> None:
    scheduler = open_scheduler()
    paused = scheduler.submit([LONG], paused=True)
    reach(scheduler, paused, "paused")
    scheduler.tell(paused, "step")
    until(scheduler, paused, lambda view: last(view) == 1)
    other = scheduler.submit([SHORT])
    reach(scheduler, other, "finished")
    view = look(scheduler, paused)
    assert (view.state, view.place) == ("paused", 0)
    assert "Another visitor was waiting" in view.reason
    scheduler.tell(paused, "step")
    view = until(scheduler, paused, lambda view: last(view) > 1)
    assert (view.state, updates(view), view.reason) == ("paused", [1, 2], "")


def test_a_training_ends_when_its_visitor_is_gone_and_goes_on_when_they_are_back(open_scheduler: Open) -> None:
    scheduler = open_scheduler(patience=1.0)
    run, forgotten = scheduler.submit([LONG]), scheduler.submit([LONG])
    until(scheduler, run, lambda view: last(view) >= 50)
    wait_until_gone(process_of(scheduler, run))
    view = until(scheduler, run, lambda view: view.state != "running")
    assert (view.state, view.reason) == ("stopped", f"Nobody watched it for 1 seconds. {ON_REQUEST}")
    assert view.runs[0].model
    assert look(scheduler, forgotten).state == "stopped", "it never began, for nobody waited for it"
    reached = last(view)
    scheduler.tell(run, "resume")
    view = until(scheduler, run, lambda view: last(view) >= reached + 50)
    assert {1, 10, 20, 30, 40, 50} <= set(updates(view))
    assert all(earlier < later for earlier, later in pairwise(updates(view)))


def test_nothing_outlives_its_time(open_scheduler: Open, tmp_path: Path) -> None:
    scheduler = open_scheduler(limit=3.0, patience=0.5)
    run, early = scheduler.submit([LONG]), scheduler.submit([LONG])
    scheduler.tell(early, "stop")
    view = reach(scheduler, run, "stopped")
    assert view.reason == "Every training has 0.05 minutes."
    scheduler.tell(run, "resume")
    assert look(scheduler, run).reason == view.reason
    wait_for(lambda: not list((tmp_path / "runs").iterdir()))
    assert scheduler.look(run) is None
    assert scheduler.look(early) is None


@pytest.mark.parametrize(("visitor", "most"), [("anne", MOST_OF_ONE), ("", share(WAITING))])
def test_one_visitor_or_network_cannot_fill_the_queue(visitor: str, most: int, open_scheduler: Open) -> None:
    scheduler = open_scheduler(slots=0)
    for _ in range(most):
        scheduler.submit([LONG], visitor=Visitor(visitor, "192.0.2.1"))
    with pytest.raises(ValueError, match="trainings"):
        scheduler.submit([LONG], visitor=Visitor(visitor, "192.0.2.1"))
    scheduler.submit([LONG], visitor=Visitor("other", "192.0.2.2"))


@pytest.mark.parametrize("slots", [1, 2])
@pytest.mark.parametrize("address", ["192.0.2.2", "2001:db8::", ""])
def test_one_who_comes_behind_15_jobs_of_one_address_is_served_next(slots: int, address: str) -> None:
    jobs = [Job((SHORT,), Path(), Visitor(str(number), "192.0.2.1")) for number in range(15)]
    queue = jobs.copy()
    for moment in range(slots):
        queue.remove(job := in_turn(jobs, queue)[0])
        job.started = moment + 1.0
    queue.append(mine := Job((SHORT,), Path(), Visitor("mine", address)))
    assert in_turn([*jobs, mine], queue) == [mine, *queue[:-1]]


def test_addresses_wait_in_turn(open_scheduler: Open) -> None:
    scheduler = open_scheduler(slots=0)
    runs = [scheduler.submit([LONG], visitor=Visitor(str(number), "192.0.2.1")) for number in range(3)]
    others = [scheduler.submit([LONG], visitor=Visitor(str(number), "192.0.2.2")) for number in range(2)]
    assert [look(scheduler, run).place for run in (runs[0], others[0], runs[1], others[1], runs[2])] == [1, 2, 3, 4, 5]


@given(st.lists(st.integers(1, 300), max_size=80), st.integers(3, 20))
def test_what_is_kept_of_a_long_training_is_bounded_and_ends_with_the_latest(steps: list[int], most: int) -> None:
    kept: tuple[Note, ...] = ()
    for update in steps:
        kept = extended(kept, Note(update, 1.0), most)
        assert kept[-1].update == update
        assert len(kept) <= most
        assert all(one.update < other.update for one, other in pairwise(kept))
