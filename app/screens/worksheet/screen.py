"""Worksheet: a step of a translation to be calculated by hand, on paper."""

from ipaddress import ip_address
from urllib.parse import urlencode, urljoin, urlsplit

import streamlit as st

from regard.app.glossary.terms import definitions
from regard.app.models.models import title, weights_hash
from regard.app.models.traces import recomputation, reference_parameters, trace
from regard.app.screens.worksheet.sheet import STYLE, body, bundle, document
from regard.app.ui.plots import download
from regard.app.ui.widgets import head, question_fields, segments
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import begin, question_or_stop, readable
from regard.app.wording import plain_markdown
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.trace import Trace
from regard.model.worksheet.sheet import VERSIONS, Worksheet, widest, worksheet

SCREEN = "worksheet"


@st.fragment
def worksheet_panel(question: Question, model: Pretrained) -> None:
    """Choose a step of the question's translation, and download its worksheet."""
    translation = trace(model.name, question.sentence, question.given)
    with st.container(horizontal=True, vertical_alignment="center", key="worksheet-controls"):
        step = _step(translation, question)
        version = segments(
            "Version",
            VERSIONS,
            VERSIONS[0],
            "sheet_version",
            "Each version asks about a different source word and different components, for neighbours in a classroom.",
        )
        answers = st.toggle("Show the answers", key="sheet_answers", bind="query-params")
        try:
            sheet = _sheet(translation, step, version)
        except InputError as error:
            st.error(plain_markdown(str(error)))
            return
        address = _address(question, step, version)
        _downloads(question, translation, sheet, address)
    st.html(STYLE)
    with st.container(key="worksheet-preview"):
        st.html(body(sheet, answers, title(model.name), address))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="worksheet-about"):
        st.caption("The files open in any browser without the app, and print on A4.", width="content")
        st.page_link(
            "screens/worked_examples/screen.py",
            label="Sheets of the worked examples",
            icon=":material/calculate:",
            help="Each example has one next to its code",
            width="content",
        )


def _downloads(question: Question, translation: Trace, sheet: Worksheet, address: str) -> None:
    """Draw the buttons that download the sheet, its answers, and all versions."""
    step, name = sheet.step, title(question.model)

    def all_versions() -> bytes:
        sheets = [_sheet(translation, step, version) for version in VERSIONS]
        return bundle(sheets, name, [_address(question, step, version) for version in VERSIONS])

    for label, answers in (("Worksheet", False), ("Answer sheet", True)):
        download(
            label,
            document(sheet, answers, name, address),
            f"regard-{'answers' if answers else 'worksheet'}-{sheet.step + 1}{sheet.version}.html",
        )
    download(
        "All versions",
        all_versions,
        f"regard-worksheets-{sheet.step + 1}.zip",
        f"Versions {VERSIONS[0]} to {VERSIONS[-1]} with their answers, and all questions for Moodle (GIFT)",
        icon="folder_zip",
    )


def _step(trace: Trace, question: Question) -> int:
    """Return the chosen step; people count from 1. A translation opens with the step that has most to calculate."""
    state, steps, first = st.session_state, len(trace.target), widest(trace) + 1
    about = trace.maker.name, question.sentence, question.given
    if state.get("sheet_about", about) != about:
        state.sheet_step = first
    state.sheet_about = about
    if "sheet_step" in state:
        state.sheet_step = min(steps, max(1, state.sheet_step or first))
    return st.number_input(f"Step, 1 to {steps}", 1, steps, first, key="sheet_step", bind="query-params", width=150) - 1


def _sheet(trace: Trace, step: int, version: str) -> Worksheet:
    ids = tuple(trace.source_ids.tolist()), tuple(trace.target_ids.tolist())
    name = trace.maker.name
    return worksheet(trace, recomputation(name, *ids, trace.intervention), reference_parameters(name), step, version)


def _address(question: Question, step: int, version: str) -> str:
    """Return the address of the same sheet; without its host if nobody else could reach that."""
    values = {name: value for name, value in question.to_link().items() if name in ("sentence", "given", "model")}
    values |= {"sentence": question.sentence, "sheet_step": str(step + 1), "sheet_version": version}
    values["weights"] = weights_hash(question.model)
    page, link = st.context.url or "", f"{SCREEN}?{urlencode(values)}"
    return f"…/{link}" if _local(urlsplit(page).hostname or "localhost") else urljoin(page, link)


def _local(host: str) -> bool:
    try:
        return not ip_address(host).is_global
    except ValueError:  # a name
        return host == "localhost" or "." not in host


asked = begin("worksheet")
model = readable(asked.model)
top = head(
    "Can you calculate a step on paper?",
    "With the model's own numbers, and a sheet with the answers.",
    asked,
)
question_fields(top, model, "")
question = question_or_stop(asked, model)
worksheet_panel(question, readable(question.model))
definitions("score", "softmax", "weight", "context", "logit", "probability", "log_normaliser", "heatmap", "rows")
