"""The page's run: its buttons, its display, a clock while it lasts, and what it leaves: a model and curves."""

import io
import json
import secrets
import shutil
import zipfile
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import nan
from pathlib import Path

import streamlit as st

from regard.app.components.training_monitor.mount import mounted
from regard.app.figures.measures import Point, practice_curves
from regard.app.models import registry, temporary
from regard.app.models.models import history, snapshots
from regard.app.models.visit_folders import visit_folders, visitor
from regard.app.screens.watch.payload import LIVE, RECORDED, TASK_NAMES, choice, payload, titles
from regard.app.training_jobs.scheduler import GOES_ON, JobStatus, RunStatus, shared_scheduler
from regard.app.ui.plots import download, plot
from regard.app.ui.widgets import errors_shown
from regard.app.visitor.sentence_input import ask, use
from regard.model.cards.record_files import TRAINING
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import Note, watched

MODEL = "reverse-gru"  # whose recorded run is shown before a visitor starts one
NOT_COPIED = "its files could not be copied; the run has expired, or the server's disk is full"
NOT_YET = "There is a model once the run has finished or was stopped."
NAME = "run"  # of a run, in the page's link
LONGEST_NAME = 100  # characters of it
CLOCKS = {"waiting": 1.0, "starting": 0.5, "running": 1.0, "paused": 1.0}  # seconds between redraws, by state
BUTTON = 130  # pixels
GONE = (
    "The run in this link is gone: runs are kept until their time limit or until the server stops. Start begins "
    "a new one with the settings above."
)


def watch(setups: Sequence[Setup]) -> None:
    """Show the run in the link, or the latest one of this visit, or a recorded one."""
    every = _clock(shared_scheduler().look(chosen()))
    st.fragment(_watched, run_every=every)(tuple(setups), every)


def chosen() -> str:
    """Return the name of the page's run, or "". The page's link keeps it."""
    state = st.session_state
    if linked := st.query_params.get(NAME, "")[:LONGEST_NAME]:
        state.practising = linked
    elif state.setdefault("practising", ""):
        st.query_params[NAME] = state.practising
    return state.practising


def _clock(view: JobStatus | None) -> float | None:
    """Return the seconds between updates of the display, or None if nothing is changing."""
    return CLOCKS.get(view.state) if view else None


def _watched(setups: tuple[Setup, ...], every: float | None) -> None:
    """Show the current state. `every` is the interval of the clock that calls this, if any."""
    state, run = st.session_state, st.session_state.practising
    view = shared_scheduler().look(run)
    if _clock(view) != every:
        st.rerun()  # the whole page, which sets the clock
    _buttons(setups, run, view)
    if refused := state.pop("run_refused", ""):
        st.error(refused)
    if run and not view:
        st.info(GONE)
    shown = view or _shipped()
    mounted()(key="learning", data=payload(run, shown))
    results(shown)


def _shipped() -> JobStatus:
    """Return the run of a shipped model, or an empty one if there is none that can be read."""
    setup, seen = Setup(), RunStatus()
    with errors_shown():
        recording, file = snapshots(MODEL), registry.folder(MODEL) / TRAINING
        if recording and file.is_file():
            notes = tuple(
                Note(int(row["update"]), row["loss"], row.get("exact", nan), seconds=row["seconds"])
                for row in history(MODEL)
            )
            setup, seen = _setup(file), RunStatus(notes, recording.moments, "", file.parent)
    return JobStatus(RECORDED, 0, "", (setup,), (seen,))


@lru_cache(maxsize=8)
def _setup(file: Path) -> Setup:
    try:
        return Setup(**json.loads(file.read_text(encoding="utf-8"))["setup"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file.parent.name}: {file.name} is not a record of a practice run ({error})") from error


def _buttons(setups: tuple[Setup, ...], run: str, view: JobStatus | None) -> None:
    """Draw all buttons, each in its place; those without effect now are disabled."""
    now, tell = view.state if view else "", shared_scheduler().tell
    live, goes_on = now in LIVE, now in GOES_ON
    with st.container(horizontal=True, gap="small", key="practice-buttons"):
        _button("Start", "play_circle", not live, partial(_start, setups, ""), key="practice-start")
        if goes_on:
            _button("Resume" if now == "paused" else "Go on", "play_arrow", True, partial(tell, run, "resume"))
        else:
            _button("Pause", "pause", live, partial(tell, run, "pause"))
        step = partial(tell, run, "step") if goes_on else partial(_start, setups, "step")
        _button("One step", "skip_next", goes_on or not live, step, "A single update, then a pause")
        _button("Stop", "stop", live, partial(tell, run, "stop"))


def _button(
    label: str, icon: str, able: bool, act: Callable[[], None], about: str | None = None, key: str | None = None
) -> None:
    icon = f":material/{icon}:"
    st.button(label, icon=icon, width=BUTTON, disabled=not able, on_click=act, help=about, key=key)


def _start(setups: tuple[Setup, ...], first: str) -> None:
    """Start a new run and make it the page's; `first` is a command for it."""
    state = st.session_state
    try:
        run = shared_scheduler().submit(setups, bool(first), visitor())
    except InputError as error:
        state.run_refused = str(error)
        return
    if first:
        shared_scheduler().tell(run, first)
    state.practising = st.query_params[NAME] = run


def results(view: JobStatus) -> None:
    """Draw two buttons for each run, in fixed places, and the curves as a figure."""
    named = zip(view.setups, view.runs, titles(view.setups), strict=True)
    for number, (setup, seen, (name, _)) in enumerate(named):
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"practice-result-{number}"):
            _result(number, setup, seen, f": {name}" if len(view.setups) > 1 else "", view.state == RECORDED)
    with st.expander("Save the curves", key="practice_curves", on_change="rerun") as curves:
        if curves.open:
            _curves(view)


def _result(number: int, setup: Setup, seen: RunStatus, of: str, shipped: bool) -> None:
    missing = seen.model is None
    opened = st.button(
        f"Open in the stepper{of}",
        icon=":material/translate:",
        key=f"practice_open_{number}",
        disabled=missing,
        help=NOT_YET if missing else "Step through the first of these sequences, and change the translation",
    )
    if opened and seen.model:
        _open(seen.model, setup, shipped, watched(setup)[0].source)
    name = f"{setup.task}-{choice(setup)}"
    download(
        f"Download the model{of}",
        partial(zipped, seen.model, name) if seen.model else b"",
        f"{name}.zip",
        NOT_YET if missing else "Its folder, which every command and the screen “Import a model” can read",
        key=f"practice_download_{number}",
        disabled=missing,
    )


def _curves(view: JobStatus) -> None:
    if view.state in LIVE:  # the figure would be redrawn for every number that arrives
        st.html('<p class="about">They are drawn here when the run has come to its end.</p>')
        return
    runs = [
        (title, [Point(note.update, note.loss, note.exact) for note in seen.notes])
        for (title, _), seen in zip(titles(view.setups), view.runs, strict=True)
    ]
    plot(practice_curves(runs), "practice", "Loss, and share of sequences written exactly, by update, for each run")


def _open(model: Path, setup: Setup, shipped: bool, example: str) -> None:
    """Ask the fixed example on the screen Translate."""
    try:
        use(model.name if shipped else kept(model, setup))
    except InputError as error:
        st.error(f"It cannot be opened: {error}.")
        return
    ask(example)
    st.switch_page("screens/translate/screen.py", query_params={"picture": "network"})


def kept(folder: Path, setup: Setup) -> str:
    """Return the name under which this visitor has the model, always the same.

    The model is a copy, because the run is forgotten before the visit is over. Raises InputError if there are too many.
    """
    known = st.session_state.setdefault("trained", {})
    if known.get(folder) not in registry.own():
        name = f"{setup.task}-{choice(setup)}-{secrets.token_urlsafe(16)}"
        copy = visit_folders().keep(name, visitor())
        try:
            temporary.make(copy.parent)
            shutil.copytree(folder, copy)
        except OSError as error:  # shutil.Error lists each file
            visit_folders().release(copy)
            raise InputError(NOT_COPIED) from error
        registry.put(name, copy, f"{TASK_NAMES[setup.task]}, {titles([setup])[0][0]}")
        known[folder] = name
    return known[folder]


def zipped(folder: Path, name: str) -> bytes:
    """Return the files of a model folder as a zip, in one folder of this name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.glob("*")):  # none if the run has been forgotten since the page was drawn
            archive.write(file, f"{name}/{file.name}")
    return content.getvalue()
