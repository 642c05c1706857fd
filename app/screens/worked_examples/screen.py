"""Worked examples from several documents, computed live and corrected where they were wrong.

Where a document prints numbers, a table has them beside those from its own earlier numbers and those computed: a number
that does not even follow from those printed before it is a slip, others only carry a slip on.
"""

import numpy as np
import streamlit as st

from regard.app.components.matrices.mount import printed_numbers
from regard.app.components.matrices.sums import PLACES, fixed, places, typeset
from regard.app.navigation import TITLES
from regard.app.screens.worked_examples.common_errors import SHEET, claims, sheet
from regard.app.screens.worked_examples.pytorch_module import repaired
from regard.app.ui.head import head
from regard.app.ui.widgets import table
from regard.app.visitor.sentence_input import begin, went_back
from regard.app.worked_example.paper import equation, matrix, prose, symbol
from regard.app.worked_example.study import study
from regard.model.examples.documents import DOCUMENTS, Document
from regard.model.examples.example import Example, Step, from_printed, slips
from regard.model.examples.operations import Values, grid
from regard.model.examples.tutorials import LUONG_GENERAL, LUONG_SUMMARY, QUERY

SLIP, CARRIED = "a new mistake", "right, but from numbers that were wrong"


def printed_table(example: Example) -> None:
    """Draw the table for the example's own matrices; wrong printed numbers are crossed out."""
    lines = "".join(_line(example, number) for number, step in enumerate(example.steps) if step.printed is not None)
    st.html(
        '<div class="printed-table" role="region" tabindex="0" aria-label="As printed and as computed"><table><thead>'
        '<tr><td></td><th scope="col">as printed</th><th scope="col">from its earlier numbers</th>'
        f'<th scope="col">as computed</th></tr></thead><tbody>{lines}</tbody></table></div>'
    )
    st.html(f'<p class="about printed-key"><s class="slip">0.00</s> {SLIP} &ensp; <s>0.00</s> {CARRIED}</p>')


def _line(example: Example, number: int) -> str:
    step, values = example.steps[number], example.run()
    document = printed_numbers(example, step, values)
    own = np.atleast_2d(slips(example, step))
    printed = [
        [_number(value, wrong, step.digits, slip) for value, wrong, slip in zip(numbers, marks, mine, strict=True)]
        for numbers, marks, mine in zip(document.printed, document.wrong, own, strict=True)
    ]
    following = [
        [_number(value, False, step.digits) for value in row] for row in grid(from_printed(example)[step.name])
    ]
    computed = [[_number(value, False, places(document.computed)) for value in row] for row in document.computed]
    return (
        f'<tr><th scope="row">{symbol(step.symbol)} = {symbol(step.formula)}</th>'
        f"<td>{_rows(printed)}</td><td>{_rows(following)}</td><td>{_rows(computed)}</td></tr>"
    )


def _number(value: np.floating | float, wrong: bool, after: int, slip: bool = False) -> str:
    text = typeset(fixed(float(value), after))
    if not wrong:
        return f"<span>{text}</span>"
    return f'<s class="slip" title="{SLIP}">{text}</s>' if slip else f'<s title="{CARRIED}">{text}</s>'


def _rows(numbers: list[list[str]]) -> str:
    return "".join(f'<div class="row">{"".join(row)}</div>' for row in numbers)


def side_by_side(one: Example, other: Example) -> None:
    """Draw a column for each example."""
    for column, example in zip(st.columns(2, gap="large"), (one, other), strict=True):
        values = example.run()
        lines = [
            f"{number}. {equation(step)} &nbsp; :gray[{' × '.join(map(str, values[step.name].shape))}]"
            for number, step in enumerate(example.steps, 1)
        ]
        column.markdown(f"**{example.title}**\n\n{prose(example.text)}\n\n" + "\n".join(lines))


CONTRADICTION = (
    "**The document contradicts itself.** Its steps compute $(H\\,W)\\,q$; its summary states $q^\\top W\\,h$, with W "
    "the other way round. On its own numbers the first gives the most attention to “{one}”, the second to “{other}”."
)


def readings(one: Example, other: Example) -> None:
    """Draw both readings with their scores and weights."""
    examples = [(example.title, example.run(), _step(example, "weights")) for example in (one, other)]
    words = [step.columns[int(np.argmax(values["weights"]))] for _, values, step in examples]
    st.markdown(CONTRADICTION.format(one=words[0], other=words[1]))
    rows = [
        {
            "Read": title,
            "scores": _numbers(values, "scores"),
            "weights": _numbers(values, "weights"),
            "most attention": f"“{word}”",
        }
        for (title, values, _), word in zip(examples, words, strict=True)
    ]
    table(rows, "The two readings of the score, with what comes of them")


def _step(example: Example, name: str) -> Step:
    return next(step for step in example.steps if step.name == name)


def _numbers(values: Values, name: str) -> str:
    return "\u2003".join(typeset(fixed(float(number), PLACES if name == "weights" else 3)) for number in values[name])


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


def comparison(document: Document, example: Example) -> None:
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
    """Draw the remarks on the rest of the document."""
    if document.remarks:
        st.markdown("**The rest of the document**\n\n" + "\n".join(f"- {prose(remark)}" for remark in document.remarks))


def onward(document: Document) -> None:
    """Draw the link to where its attention is learned."""
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
    if document is not ERRATA:
        st.button("A tutorial that got it wrong", type="tertiary", on_click=open_, args=(ERRATA.name,))
    if document is not SHEET:
        st.button(SHEET.title, type="tertiary", on_click=open_, args=(SHEET.name,))
if document is SHEET:
    st.markdown(prose(document.text))
    link(document.name)
    sheet()
    claims()
    st.stop()
if not document.examples:
    st.markdown(prose(document.text))
    link(document.name)
    repaired("module")
    kinds(document)
    claims()
    st.stop()
example = choose_example(document)
link(example.name)
if document is ERRATA:
    where_it_goes_wrong(example)
work(example)
with st.expander("About this example and its document", key="about-example"):
    st.markdown(prose(document.text))
    if document is not ERRATA:
        about(example)
    remarks(document)
onward(document)
comparison(document, example)
if document.name == COMPARING:
    claims()
