"""Worked examples from several documents, computed live and corrected where they were wrong."""

import inspect
from collections.abc import Sequence
from pathlib import Path

import streamlit as st
import torch

from regard.app.navigation import TITLES
from regard.app.screens.worked_examples.common_errors import SHEET, sheet
from regard.app.theme import component, percent
from regard.app.ui.widgets import head, table
from regard.app.visitor.sentence_input import begin, went_back
from regard.app.wording import counted
from regard.app.worked_example.paper import equation, prose
from regard.app.worked_example.study import source, study
from regard.model.examples.documents import DOCUMENTS, EXAMPLES, Document
from regard.model.examples.example import Example
from regard.model.examples.pytorch_module import EntryByEntry, GeneralAttention, gradient, outcome, trial
from regard.model.examples.tutorials import LUONG_GENERAL, LUONG_SUMMARY, QUERY, WORDS

CONTRADICTION = (
    "**The document contradicts itself.** Its steps compute $(H\\,W)\\,q$; its summary states $q^\\top W\\,h$, with W "
    "the other way round. On its own numbers the first gives {}, the second {}."
)


def readings() -> None:
    """Say which word gets the most attention by either reading of the first document's score."""
    said = []
    for example in (LUONG_GENERAL, LUONG_SUMMARY):
        weights = example.run()["weights"]
        shares = ", ".join(f"{percent(float(weight))} of “{word}”" for weight, word in zip(weights, WORDS, strict=True))
        said.append(f"the most attention to “{WORDS[int(weights.argmax())]}” ({shares})")
    st.markdown(CONTRADICTION.format(*said))


BY_NAME = {document.name: document for document in (*DOCUMENTS, SHEET)}
CHANGES = "hand"  # the link's parameter for a visitor's changes
LINKED = DOCUMENTS[0].examples[0].name  # the example meant by links that name changes and no example
OPENING, ERRATA = QUERY.name, DOCUMENTS[0]  # an example printed correctly, and the document that is not


def choose() -> Document:
    """Draw the choice of a document; at first the one that the link names, itself or by one of its examples."""
    plain = LINKED if CHANGES in st.query_params else OPENING
    asked = st.query_params.get("example", plain)
    if "document" not in st.session_state or went_back():
        open_(asked if asked in EXAMPLES | BY_NAME else plain)
    name = st.selectbox(
        "Document",
        list(BY_NAME),
        format_func=lambda name: BY_NAME[name].title,
        key="document",
        persist_state="session",
        width=420,
        label_visibility="collapsed",
    )
    return BY_NAME[name]


def choose_example(document: Document) -> Example:
    """Draw the choice of an example and return it; each document remembers its own."""
    names = [example.name for example in document.examples]
    if len(names) < 2:
        return document.examples[0]
    key = f"{document.name}-example"
    st.session_state.setdefault(key, names[0])
    name = st.pills(
        "Example",
        names,
        required=True,
        format_func=lambda name: EXAMPLES[name].title,
        key=key,
        persist_state="session",
        label_visibility="collapsed",
    )
    return EXAMPLES[name or names[0]]


def open_(name: str) -> None:
    """Choose a document, or an example with its document."""
    document = next(each for each in BY_NAME.values() if name == each.name or EXAMPLES.get(name) in each.examples)
    st.session_state.document = document.name
    if name in EXAMPLES and len(document.examples) > 1:
        st.session_state[f"{document.name}-example"] = name


def link(name: str) -> None:
    """Write the choice into the page's link; the default example is left out."""
    plain = OPENING if CHANGES not in st.query_params else ""  # changes are always of an example that the link names
    if st.query_params.get("example", plain) != name:
        st.query_params["example"] = name
    if name not in EXAMPLES and CHANGES in st.query_params:
        del st.query_params[CHANGES]


def kinds(document: Document) -> None:
    """Draw the document's list of types, each with a link to where it can be tried."""
    st.subheader("Its types of attention")
    for kind in document.kinds:
        with st.container(horizontal=True, vertical_alignment="center", key=f"kind-{kind['name']}"):
            st.markdown(f"**{prose(kind['name'])}**  \n{prose(kind['text'])}")
            if "example" in kind:
                st.button("Try it", key=f"try-{kind['name']}", on_click=open_, args=(kind["example"],))
            else:
                screen = kind["screen"]
                st.page_link(f"screens/{screen}/screen.py", label=f"Try it in {TITLES[screen]}")


POSITIONS, SIZE, SEED = 5, 4, 0  # the tutorial's example has five positions, and 256 numbers in a vector
AS_PRINTED = Path(__file__).with_name("tutorial_module.txt")
TUTORIALS, REPAIRED = "The tutorial's module", "Repaired"
FOUND = """\
W of the tutorial's module has no gradient: autograd finds no path to it, so training never changes it. A query with as
many steps as there are positions fits by accident: one context comes out, of the same shape as for a single step, and
no error. Each position was then scored by another query, so these weights belong to no step of the decoder. Any other
number above 1 raises an error in PyTorch. The repaired module takes one step at a time, and says so."""


def repaired() -> None:
    """Draw the PyTorch module that fails silently, the repaired one, and what both do with the same numbers."""
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{TUTORIALS}**, in our own code that does the same")
        source(inspect.getsource(EntryByEntry))
        st.markdown(
            "W is declared and never used, so the score is the dot product, as the tutorial's comment says; what "
            "Luong, and this app, call the general score would use W. If the query has several steps, each position "
            "meets a different step."
        )
        with st.expander("The tutorial's own code"):
            source(AS_PRINTED.read_text(encoding="utf-8"))
    with right:
        st.markdown(f"**{REPAIRED}**: W is used, and one query meets every position")
        source(inspect.getsource(GeneralAttention))
    st.header("Both on the same numbers")
    table(_compared(), f"Both modules on {POSITIONS} random positions with {SIZE} numbers in a vector")
    st.markdown(FOUND)


def _compared() -> list[dict[str, str]]:
    """Return what both modules do with the same random numbers, a row for each question."""
    made = trial(POSITIONS, SIZE, SEED)
    annotations, first = made.annotations, made.queries[:, 0]
    lengths = (gradient(made.tutorials, made.queries, annotations), gradient(made.repaired, first, annotations))
    rows = [("Gradient of W", *("None" if one is None else f"length {component(one)}" for one in lengths))]
    for steps in (1, POSITIONS - 1, POSITIONS):
        queries = made.queries[:, :steps]
        one = outcome(made.repaired, first if steps == 1 else queries, annotations)
        rows.append((f"Query of {counted(steps, 'step')}", outcome(made.tutorials, queries, annotations), one))
    with torch.no_grad():
        weights = (made.tutorials(made.queries, annotations)[1], made.repaired(first, annotations)[1])
    shares = (" · ".join(map(percent, one[0].tolist())) for one in weights)
    rows.append(("Weights, of all queries at once or of the first", *shares))
    return [dict(zip(("Question", TUTORIALS, REPAIRED), row, strict=True)) for row in rows]


def about(document: Document, example: Example) -> None:
    """Draw the texts and notes of an example and of its document."""
    notes = [*example.notes, *document.remarks]
    st.markdown("\n\n".join([prose(document.text), prose(example.text), *(f"- {prose(note)}" for note in notes)]))


def side_by_side(names: Sequence[str]) -> None:
    """Draw the steps of each example with their shapes, in a column for each."""
    for column, example in zip(st.columns(2, gap="large"), (EXAMPLES[name] for name in names), strict=True):
        values = example.run()
        shapes = (" × ".join(map(str, values[step.name].shape)) for step in example.steps)
        lines = [f"{equation(step)} &nbsp; :gray[{shape}]" for step, shape in zip(example.steps, shapes, strict=True)]
        column.markdown(
            "\n".join([f"**{example.title}**\n", *(f"{place}. {line}" for place, line in enumerate(lines, 1))])
        )


@st.fragment
def work(example: Example) -> None:
    """Draw the example to work with."""
    study(example, key=CHANGES)
    link(example.name)


begin("worked_examples")
top = head(
    "Can attention be computed by hand?",
    "Choose any number to see how it is computed; change any matrix, and all that follows changes with it.",
)
with top.row:
    document = choose()
    for other, title in ((ERRATA, "A tutorial that got it wrong"), (SHEET, SHEET.title)):
        if document is not other:
            st.button(title, type="tertiary", on_click=open_, args=(other.name,))
if document.examples:
    example = choose_example(document)
    link(example.name)
    if document is ERRATA:
        readings()
    work(example)
    with st.expander("About this example and its document", key="about-example", expanded=document is ERRATA):
        about(document, example)
    for pair in document.pairs:
        if example.name in pair:
            with st.expander(f"Side by side, step by step: {' and '.join(EXAMPLES[name].title for name in pair)}"):
                side_by_side(pair)
    if document.onward:
        st.page_link(f"screens/{document.onward}/screen.py", label=f"See it being learned in {TITLES[document.onward]}")
else:
    st.markdown(prose(document.text))
    link(document.name)
    if document is SHEET:
        sheet()
    else:
        repaired()
        kinds(document)
