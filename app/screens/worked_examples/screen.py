"""Worked examples from several documents, computed live and corrected where they were wrong."""

import streamlit as st

from regard.app.navigation import TITLES
from regard.app.screens.worked_examples.claims import claims
from regard.app.screens.worked_examples.common_errors import SHEET, sheet
from regard.app.screens.worked_examples.printed_table import printed_table
from regard.app.screens.worked_examples.pytorch_module import repaired
from regard.app.screens.worked_examples.side_by_side import readings, side_by_side
from regard.app.ui.widgets import heading
from regard.app.visitor.sentence_input import begin, went_back
from regard.app.worked_example.markdown import matrix, prose
from regard.app.worked_example.view import NEEDED, study, summed
from regard.model.examples.documents import DOCUMENTS, Document
from regard.model.examples.dot_product import QUERY
from regard.model.examples.example import Example
from regard.model.examples.luong_general import LUONG_GENERAL, LUONG_SUMMARY

BY_NAME = {document.name: document for document in (*DOCUMENTS, SHEET)}
CHANGES = "hand"  # the link's parameter for a visitor's changes
COMPARING = "from-scratch"  # the document that compares Bahdanau's attention with Luong's
LINKED = DOCUMENTS[0].examples[0].name  # the example meant by links that name changes and no example
OPENING, ERRATA = QUERY.name, DOCUMENTS[0]  # an example printed correctly, and the document that is not
EXAMPLES = {example.name: example for document in DOCUMENTS for example in document.examples}


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
        "Example", names, required=True, format_func=lambda name: EXAMPLES[name].title, key=key, persist_state="session"
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


def where_it_goes_wrong(example: Example) -> None:
    """Draw the first document's numbers beside the right ones, and its two readings."""
    left, right = st.columns([7, 6], gap="large")
    with left:
        printed_table(LUONG_GENERAL)
        before(example)
    with right:
        readings(LUONG_GENERAL, LUONG_SUMMARY)
        about(example)


def kinds(document: Document) -> None:
    """Draw the document's list of types, each with a link to where it can be tried."""
    st.subheader("Its types of attention")
    for kind in document.kinds:
        with st.container(horizontal=True, vertical_alignment="center", key=f"kind-{kind.name}"):
            st.markdown(f"**{prose(kind.name)}**  \n{prose(kind.text)}")
            if kind.example:
                st.button("Try it", key=f"try-{kind.name}", on_click=open_, args=(kind.example,))
            else:
                st.page_link(f"screens/{kind.screen}/screen.py", label=f"Try it in {TITLES[kind.screen]}")


def beside(document: Document, example: Example) -> None:
    """Draw the examples to compare this one with."""
    for pair in document.pairs:
        if example.name in pair:
            other = EXAMPLES[next(name for name in pair if name != example.name)]
            with st.expander(f"Beside “{prose(other.title)}”, step by step, with their shapes"):
                side_by_side(*(EXAMPLES[name] for name in pair))


def about(example: Example) -> None:
    """Draw the text and notes of an example."""
    st.markdown("\n".join([prose(example.text), "", *(f"- {prose(note)}" for note in example.notes)]))


def remarks(document: Document) -> None:
    """Draw the remarks on the rest of the document, and where to go on."""
    if document.remarks:
        with st.expander("The rest of the document"):
            st.markdown("\n".join(f"- {prose(remark)}" for remark in document.remarks))
    if document.onward:
        st.page_link(f"screens/{document.onward}/screen.py", label=f"See it being learned in {TITLES[document.onward]}")


def before(example: Example) -> None:
    """Draw the matrices that the document prints but no step needs."""
    if example.before:
        with st.popover("What it prints before H", type="tertiary"):
            for given in example.before:
                st.latex(matrix(given))
                st.caption(prose(given.text))


@st.fragment
def work(example: Example) -> None:
    """Draw the example to work with, and a picture of its context if it has one."""
    values = study(example, key=CHANGES)
    link(example.name)
    if values.keys() >= NEEDED:
        title, key = "The context as a weighted sum", f"sum-{example.name}"
        with st.expander(title, expanded=example is QUERY, key=key, on_change="rerun") as picture:
            if picture.open:
                summed(example, values)


begin("worked_examples")
with st.container(horizontal=True, vertical_alignment="bottom", key="header"):
    heading(
        "Worked examples",
        "Attention on matrices small enough for paper. Choose any number to see how it is computed; change any "
        "matrix, and all that follows changes with it.",
    )
    document = choose()
    if document is not ERRATA:
        st.button("A tutorial that got it wrong", type="tertiary", on_click=open_, args=(ERRATA.name,))
    if document is not SHEET:
        st.button(SHEET.title, type="tertiary", on_click=open_, args=(SHEET.name,))
st.markdown(prose(document.text))
if document is SHEET:
    link(document.name)
    sheet()
    claims()
    st.stop()
if not document.examples:
    link(document.name)
    repaired("module")
    kinds(document)
    claims()
    st.stop()
example = choose_example(document)
link(example.name)
if document is DOCUMENTS[0]:
    where_it_goes_wrong(example)
else:
    about(example)
remarks(document)
beside(document, example)
work(example)
if document.name == COMPARING:
    claims()
