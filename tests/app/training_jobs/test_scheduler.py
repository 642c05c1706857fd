"""The workshop: trainings in processes of their own, in the order of asking, watched, told and ended."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.server.visitor import Visitor, share
from app.training_jobs.history import extended
from app.training_jobs.scheduler import MOST_OF_ONE, WAITING, Scheduler
from model.checkpoint import load
from model.synthetic.log import Note
from tests.support.short_trainings import (
    LONG,
    SECONDS,
    SHORT,
    last,
    look,
    looked_at,
    process_of,
    reach,
    until,
    updates,
    wait_until_gone,
)

Open = Callable[..., Scheduler]


@pytest.fixture
def open_workshop(tmp_path: Path) -> Iterator[Open]:
    """Open one, or several in a row, each closed at the end: `open_workshop(slots=2)`."""
    opened: list[Scheduler] = []

    def open_one(slots: int = 1, limit: float = 600.0, patience: float = 60.0, grace: float = 0.1) -> Scheduler:
        opened.append(Scheduler(tmp_path / "runs", slots, limit, patience, grace))
        return opened[-1]

    yield open_one
    for workshop in opened:
        workshop.close()


def test_a_training_is_watched_to_its_end_though_the_thread_that_asked_for_it_ends(open_workshop: Open) -> None:
    workshop, setup, asked = open_workshop(), replace(SHORT, updates=100), []

    def visit() -> None:
        asked.append(workshop.submit([setup]))
        reach(workshop, asked[0], "starting")
        reach(workshop, asked[0], "running")

    visitor = Thread(target=visit)
    visitor.start()
    visitor.join()
    (run,) = asked
    view = reach(workshop, run, "finished")
    (seen,) = view.runs
    assert view.setups == (setup,)
    assert updates(view)[-1] == seen.looks[-1].update == setup.updates
    assert seen.finished == "all updates done"
    assert seen.model is not None
    assert load(seen.model).config == setup.config()
    assert 500 < view.seconds_left < 600


def test_two_trainings_of_a_job_take_turns(open_workshop: Open) -> None:
    workshop = open_workshop()
    run = workshop.submit([LONG, LONG], paused=True)
    reach(workshop, run, "paused")
    workshop.tell(run, "step")
    until(workshop, run, lambda view: (last(view), last(view, 1)) == (1, 1))
    workshop.tell(run, "resume")
    view = until(workshop, run, lambda view: last(view, 1) >= 100)
    assert abs(last(view) - last(view, 1)) <= 10, "the notes are ten updates apart"
    assert [note.loss for note in view.runs[0].notes][:10] == [note.loss for note in view.runs[1].notes][:10]


def test_a_training_does_what_it_is_told(open_workshop: Open) -> None:
    workshop = open_workshop()
    run = workshop.submit([LONG], paused=True)
    view = reach(workshop, run, "paused")
    assert view.runs[0].notes == ()
    for update in (1, 2, 3):
        workshop.tell(run, "step")
        view = until(workshop, run, lambda view, update=update: looked_at(view)[-1:] == [update])
        assert (view.state, updates(view)) == ("paused", list(range(1, update + 1)))

    workshop.tell(run, "resume")
    until(workshop, run, lambda view: last(view) >= 50)
    workshop.tell(run, "pause")
    reach(workshop, run, "paused")
    held = looked_at(until(workshop, run, lambda view: looked_at(view)[-1] >= last(view)))[-1]
    sleep(0.3)
    assert looked_at(reach(workshop, run, "paused"))[-1] == held

    workshop.tell(run, "stop")
    (seen,) = reach(workshop, run, "stopped").runs
    assert seen.model is not None
    assert load(seen.model).config == LONG.config()
    workshop.tell(run, "step")
    assert last(until(workshop, run, lambda view: last(view) > held)) == held + 1


def test_a_process_leaves_the_machine_to_others(open_workshop: Open) -> None:
    workshop = open_workshop()
    run = workshop.submit([LONG])
    until(workshop, run, lambda view: last(view) >= 50)
    process = process_of(workshop, run)
    assert os.getpriority(os.PRIO_PROCESS, process) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
    assert len(list(Path(f"/proc/{process}/task").iterdir())) == 2, "one trains, one listens"


def test_ten_visitors_who_ask_at_once_are_served_in_turn(open_workshop: Open) -> None:
    workshop = open_workshop(slots=2)
    runs = [workshop.submit([SHORT]) for _ in range(10)]
    begun: list[str] = []
    give_up = monotonic() + SECONDS
    while len(served := [run for run in runs if look(workshop, run).state == "finished"]) < 10:
        assert monotonic() < give_up, f"{len(served)} were served"
        views = {run: look(workshop, run) for run in runs}
        waiting = [view.place for view in views.values() if view.state == "waiting"]
        assert waiting == list(range(1, len(waiting) + 1)) or len(begun) < 10
        begun += [run for run, view in views.items() if view.place == 0 and run not in begun]
        assert sum(view.state in ("starting", "running") for view in views.values()) <= 2 + 1, "one may begin between"
        sleep(0.02)
    assert begun == runs


def test_who_asks_when_too_many_wait_is_refused_with_a_reason(open_workshop: Open) -> None:
    workshop = open_workshop(slots=0)
    runs = [workshop.submit([LONG]) for _ in range(WAITING)]
    assert look(workshop, runs[-1]).place == WAITING
    with pytest.raises(ValueError, match=f"{WAITING} trainings are waiting already. Try again in a few minutes"):
        workshop.submit([LONG])
    workshop.tell(runs[0], "stop")
    assert look(workshop, runs[0]).state == "stopped"
    assert look(workshop, runs[-1]).place == WAITING - 1
    workshop.submit([LONG])
    workshop.tell(runs[0], "resume")
    assert "Try again" in look(workshop, runs[0]).told


def test_one_visitor_cannot_fill_the_queue(open_workshop: Open) -> None:
    workshop, anne = open_workshop(slots=0), Visitor("anne", "192.0.2.1")
    for _ in range(MOST_OF_ONE):
        workshop.submit([LONG], visitor=anne)
    with pytest.raises(ValueError, match="You have 2 trainings that wait or go on already"):
        workshop.submit([LONG], visitor=anne)


def test_21_connections_of_one_address_leave_places_to_others_who_come_next(open_workshop: Open) -> None:
    workshop = open_workshop(slots=0)
    runs = [workshop.submit([LONG], visitor=Visitor(str(n), "192.0.2.1")) for n in range(share(WAITING))]
    with pytest.raises(ValueError, match="15 trainings of visitors from your network are waiting already"):
        workshop.submit([LONG], visitor=Visitor("more", "192.0.2.1"))
    others = [workshop.submit([LONG], visitor=Visitor(str(n), "192.0.2.2")) for n in range(2)]
    assert [look(workshop, run).place for run in (runs[0], others[0], runs[1], others[1], runs[2])] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("count", [0, 3])
def test_a_job_is_one_training_or_two(open_workshop: Open, count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} trainings were asked for at once"):
        open_workshop(slots=0).submit([SHORT] * count)


def test_a_job_is_known_only_by_a_name_that_nobody_guesses(open_workshop: Open, tmp_path: Path) -> None:
    workshop = open_workshop(slots=0)
    run, other = workshop.submit([SHORT]), workshop.submit([SHORT])
    assert re.fullmatch(r"[\w-]{43}", run)
    for name in ("", "..", "../runs", f"{run}/", f"{run}/../{other}", run[:-1], run.upper(), "\0", "é" * 10_000):
        assert workshop.look(name) is None
        workshop.tell(name, "stop")
    for command in ("", "leave", "STOP", "stop\n", '{"stop": 1}', "\0"):
        workshop.tell(run, command)
    assert look(workshop, run).state == look(workshop, other).state == "waiting"
    for folder in (tmp_path / "runs", *(tmp_path / "runs").iterdir()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_paused_training_gives_its_slot_to_who_waits_and_gets_it_back(open_workshop: Open) -> None:
    workshop = open_workshop()
    paused = workshop.submit([LONG], paused=True)
    reach(workshop, paused, "paused")
    workshop.tell(paused, "step")
    until(workshop, paused, lambda view: last(view) == 1)
    other = workshop.submit([SHORT])
    reach(workshop, other, "finished")
    view = look(workshop, paused)
    assert (view.state, view.place) == ("paused", 0)
    assert "Somebody else was waiting" in view.told
    workshop.tell(paused, "step")
    view = until(workshop, paused, lambda view: last(view) > 1)
    assert (view.state, updates(view), view.told) == ("paused", [1, 2], "")


def test_a_training_ends_when_its_visitor_is_gone_and_goes_on_when_they_are_back(open_workshop: Open) -> None:
    workshop = open_workshop(patience=1.0)
    run, forgotten = workshop.submit([LONG]), workshop.submit([LONG])
    until(workshop, run, lambda view: last(view) >= 50)
    wait_until_gone(process_of(workshop, run))
    view = until(workshop, run, lambda view: view.state != "running")
    assert (view.state, view.told) == ("left", "Nobody watched it for 1 seconds.")
    assert view.runs[0].model
    assert look(workshop, forgotten).state == "left", "it never began, for nobody waited for it"
    reached = last(view)
    workshop.tell(run, "resume")
    view = until(workshop, run, lambda view: last(view) >= reached + 50)
    assert {1, 10, 20, 30, 40, 50} <= set(updates(view))
    assert all(earlier < later for earlier, later in pairwise(updates(view)))


def test_nothing_outlives_its_time(open_workshop: Open, tmp_path: Path) -> None:
    workshop = open_workshop(limit=3.0, patience=0.5)
    run, early = workshop.submit([LONG]), workshop.submit([LONG])
    workshop.tell(early, "stop")
    view = reach(workshop, run, "out of time")
    assert view.told == "It had 0.05 minutes, as every training has."
    assert view.seconds_left == 0
    workshop.tell(run, "resume")
    assert look(workshop, run).state == "out of time"
    give_up = monotonic() + SECONDS
    while list((tmp_path / "runs").iterdir()):
        assert monotonic() < give_up
        sleep(0.05)
    assert workshop.look(run) is None
    assert workshop.look(early) is None


@given(st.lists(st.integers(1, 300), max_size=80), st.integers(3, 20))
def test_what_is_kept_of_a_long_training_is_bounded_and_ends_with_the_latest(steps: list[int], most: int) -> None:
    kept: tuple[Note, ...] = ()
    for update in steps:
        kept = extended(kept, Note(update, 1.0), most)
        assert kept[-1].update == update
        assert len(kept) <= most
        assert all(one.update < other.update for one, other in pairwise(kept))


@given(st.integers(5, 20), st.integers(21, 200))
def test_what_is_kept_of_a_long_training_is_evenly_spaced(most: int, count: int) -> None:
    kept: tuple[Note, ...] = ()
    for update in range(1, count + 1):
        kept = extended(kept, Note(update, 1.0), most)
    gaps = [other.update - one.update for one, other in pairwise(kept)][:-1]  # to the latest it is as it happens
    assert [note.update for note in kept[:1]] == [1]
    assert len(kept) == most
    assert max(gaps) <= min(one + other for one, other in pairwise(gaps))
