"""Links that visitors draw between the words of their own sentence and its translation, and the resulting error."""

from dataclasses import replace

import streamlit as st

from regard.app.components.link_grid.mount import drawn, grid
from regard.app.figures.heatmap import link_map
from regard.app.models.analyses import afterwards
from regard.app.models.models import any_pretrained
from regard.app.screens.alignment.stories import differences, rows_switch, verdict
from regard.app.ui.definitions import definitions
from regard.app.ui.plots import download, plot, subject
from regard.app.visitor.pickers import head_field
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import ask, names_on, visit
from regard.app.wording import plain_markdown
from regard.model.alignment import AFTER, READ_AS, ROWS
from regard.model.input_error import InputError
from regard.model.readable import language
from regard.model.trace import AnyTrace, Trace
from regard.model.word_alignment.alignment_error_rate import FILE_LANGUAGES, Marks, pharaoh, read_marks, story
from regard.model.word_alignment.from_attention import Compared, alignment_of, of_words

LINKS_CHARACTERS = 4000  # characters of links that can be typed
REMEMBERED = 20  # pairs whose links are kept for a visitor


@st.fragment
def draw(trace: AnyTrace, question: Question) -> None:
    """Draw the grid, the marks as text, and the model's error against them."""
    languages = trace.alignment.source.language, trace.alignment.target.language
    with st.container(horizontal=True, vertical_alignment="bottom", key="draw"):
        rows = rows_switch(READ_AS if isinstance(trace, Trace) else ROWS)
        head = head_field(any_pretrained(trace.maker.name).config)
        seen = st.toggle("Show the model's attention and links", key="seen", bind="query-params")
        _keep_button(trace, question)
    st.caption(
        "Which word stands for which? Press a cell, or Enter on it: once for a sure link (square), twice for a "
        "possible one (circle), three times for none. Draw before you look: the model's attention would sway you."
    )
    left, right = st.columns([3, 2])
    above = left.container()
    with left:
        mine = _field(trace, languages)
    if rows == AFTER and isinstance(trace, Trace):
        asked = of_words(mine.sure, mine.possible, afterwards(trace).over(trace.alignment), ROWS[0])
        compared = replace(asked, reading=AFTER)
    else:
        compared = of_words(mine.sure, mine.possible, alignment_of(trace, head), rows)
    with above:
        grid(compared, mine.written(), languages=languages, seen=seen, on_draw=_take)
    with right:
        if len(mine):
            verdict(compared, "you")
            differences(compared, languages, "you")
            _downloads(compared, mine, languages)
        else:
            st.info("Nothing is linked yet. From your first link on, the model's links are measured against yours.")
    with st.expander("Save as a figure", key="mine", on_change="rerun") as figure:
        if figure.open:
            what = compared.what.capitalize()
            alt = f"{what} and your links between the words of your sentence"
            plot(link_map(compared), "my-links", alt, subject(trace))
    definitions("aer", "precision", "recall", "mass", "rows", "posterior")


def _field(trace: AnyTrace, languages: tuple[str, str]) -> Marks:
    """Return the marks from their text. Errors are shown, and the last valid marks stay; another pair has its own."""
    pair = source, target = tuple(
        side.words[: side.spoken] for side in (trace.alignment.source, trace.alignment.target)
    )
    state = st.session_state
    kept: dict[tuple[tuple[str, ...], ...], Marks] = state.setdefault("drawn_links", {})
    if state.get("drawn_pair", pair) != pair or (pair in kept and "marks" not in state):  # returned from elsewhere
        state.marks = kept.get(pair, Marks()).written()
    state.drawn_pair = pair
    first, second = map(language, languages) if languages[0] != languages[1] else ("source", "target")
    text = st.text_input(
        f"The same links as text: {first} word, then {second} word, counted from 0",
        key="marks",
        bind="query-params",
        max_chars=LINKS_CHARACTERS,
        placeholder="0-0 1p2",
        help="`0-0` is a sure link and `1p2` a possible one; the grid shows the numbers of the words.",
    )
    try:
        kept[pair] = read_marks(text, len(source), len(target))
    except InputError as error:
        kept.setdefault(pair, Marks())
        st.error(plain_markdown(f"{error}. Your last links are kept: {kept[pair].written() or 'none'}."))
    while len(kept) > REMEMBERED:
        del kept[next(iter(kept))]
    return kept[pair]


def _keep_button(trace: AnyTrace, question: Question) -> None:
    """Draw a button to keep the words, because another model might write other words."""
    if not question.given and len(names_on(visit().screen)) > 1:
        st.button(
            "Keep these words for every model",
            type="tertiary",
            on_click=ask,
            args=(question.sentence, trace.text),
            help="Your links belong to these words; another model may write other words and has its own links.",
        )


def _take() -> None:
    """Copy the drawn marks into the field, which is also in the page's link."""
    st.session_state.marks = drawn()


def _downloads(compared: Compared, marks: Marks, languages: tuple[str, str]) -> None:
    with st.container(horizontal=True, key="links-downloads"):
        if set(languages) == set(FILE_LANGUAGES):
            download(
                "Your links (ALIBI files, ZIP)",
                lambda: story(marks, compared.source, compared.target, languages),
                "regard-links.zip",
                "Three files in the form of hand-made alignments, French word first; "
                "`regard evaluate --alignments` reads the unpacked folder.",
            )
        download(
            "The model's links (Pharaoh)",
            lambda: pharaoh(compared.proposed) + "\n",
            "regard-links.pharaoh",
            "One line, such as 0-0 1-2, the source word first",
        )
