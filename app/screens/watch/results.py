"""Results of a run: a model to open in the stepper and on every other screen, and curves to save."""

import io
import secrets
import shutil
import zipfile
from functools import partial
from pathlib import Path

import streamlit as st

from regard.app.figures.training import Point, practice_curves
from regard.app.models import registry, temporary
from regard.app.models.visit_folders import visit_folders, visitor
from regard.app.screens.watch.payload import examples
from regard.app.screens.watch.run_names import TASK_NAMES, choice, titles
from regard.app.screens.watch.text import LIVE, RECORDED
from regard.app.training_jobs.job import JobStatus, RunStatus
from regard.app.ui.plots import download, plot
from regard.app.visitor.sentence_input import ask, use
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup

GONE = "the run has expired; start it again"
NO_ROOM = "the server could not copy its files, perhaps because its disk is full; try again later"
NOT_YET = "There is a model once the run has finished or was stopped."


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
        _open(seen.model, setup, shipped, examples(setup, seen)[0][0])
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
            reason = GONE if not folder.exists() else NO_ROOM
            raise InputError(reason) from error
        registry.put(name, copy, f"{TASK_NAMES[setup.task]}, {titles([setup])[0][0]}")
        known[folder] = name
    return known[folder]


def zipped(folder: Path, name: str) -> bytes:
    """Return the files of a model folder as a zip, in one folder of this name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        try:
            for file in sorted(folder.iterdir()):
                archive.write(file, f"{name}/{file.name}")
        except OSError:  # the run has been forgotten since the page was drawn
            archive.writestr(f"{name}.txt", f"No model is available: {GONE}.\n")
    return content.getvalue()
