"""Translated text: a visitor's text by each model, kept in the visit; pieces of all visitors take turns.

Other screens show a sentence of it with links to its neighbours and back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import streamlit as st

from regard.app.models.analyses import gold, stories
from regard.app.models.models import any_pretrained
from regard.app.models.registry import folder, languages
from regard.app.models.result_cache import remembered
from regard.app.navigation import script
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import ask, visit
from regard.app.visitor.suggestions import to_try
from regard.model.doubt.chance import load
from regard.model.input_error import InputError
from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.model.text_report.text_input import TextLine, TextToTranslate, read
from regard.model.text_report.text_measures import measured

PIECE = 16  # sentences translated between two updates of the page
EXAMPLE = "LaBarbeBleue_BlueBeard"  # a story with references and links
EXAMPLE_LINES, EXAMPLE_WORDS = 30, 25  # pairs of the story, and the most source words of one
_translating = Lock()


@dataclass
class TranslatedText:
    """A text with the measures of its lines by model; `going` is False once a person has stopped it."""

    name: str
    text: TextToTranslate
    measures: dict[str, dict[int, SentenceMeasures]] = field(default_factory=dict)
    going: bool = True
    row: int = 0  # number of the chosen sentence, 0 for none
    shown: tuple[int, ...] = ()  # numbers in the table as it was filtered last
    example_of: tuple[str, str] | None = None  # the languages of an example of ours

    def rows(self, model: str) -> list[SentenceMeasures]:
        """Return what one model has translated, in order."""
        done = self.measures.get(model, {})
        return [done[line.number] for line in self.text.lines if line.number in done]

    def pending(self, model: str) -> list[TextLine]:
        done = self.measures.get(model, {})
        return [line for line in self.text.lines if line.number not in done]

    def stop(self) -> None:
        self.going = False

    def resume(self) -> None:
        self.going = True


def current() -> TranslatedText | None:
    """Return the visit's text, if there is one."""
    return st.session_state.get("translated_text")


def bring(name: str, text: TextToTranslate) -> None:
    """Make this the visit's text; the one before is forgotten."""
    st.session_state.translated_text = TranslatedText(name, text)


def translate_piece(held: TranslatedText, model: str, lines: Sequence[TextLine]) -> None:
    """Translate some lines; an example's lines are shared by all visitors, because everybody begins with it."""
    rows = (_example_piece if held.example_of else _piece)(model, tuple(lines))
    held.measures.setdefault(model, {}).update({row.number: row for row in rows})


def _piece(name: str, lines: tuple[TextLine, ...]) -> tuple[SentenceMeasures, ...]:
    """Translate some lines; the server translates one piece at a time, so that others are served in between."""
    loaded = any_pretrained(name)
    with _translating:
        return tuple(measured(loaded, lines, load(folder(name), loaded.fingerprint), PIECE))


_example_piece = remembered()(_piece)


def bring_example(model: str) -> None:
    """Make an example the visit's text: part of a hand-aligned story, or the sentences to try with the model."""
    pair = languages(model) or ("", "")
    try:
        pairs = gold(EXAMPLE, pair) if EXAMPLE in stories() else ()
    except InputError:  # the stories are in other languages
        pairs = ()
    short = [each for each in pairs if len(each.source.split()) <= EXAMPLE_WORDS and each.sure][:EXAMPLE_LINES]
    lines = [f"{each.source}\t{each.target}\t{_links(each.sure, each.possible)}" for each in short]
    lines = lines or list(to_try(any_pretrained(model)).values())
    if lines:
        name = "Blue Beard, the first short sentences" if short else "sentences to try"
        st.session_state.translated_text = TranslatedText(name, read("\n".join(lines).encode(), pair), example_of=pair)


def _links(sure: frozenset[tuple[int, int]], possible: frozenset[tuple[int, int]]) -> str:
    return " ".join(f"{one}{'-' if (one, other) in sure else 'p'}{other}" for one, other in sorted(possible))


def open_row(held: TranslatedText, model: str, number: int, given: str = "") -> None:
    """Make a sentence of the text, as it was read, the question."""
    held.row = number
    ask(held.measures[model][number].source, given, as_typed=True)


def text_row(question: Question) -> None:
    """Draw the place in the text, if the question is one of its sentences."""
    held = current()
    if held is None or not (model := _translator(held, question)):
        return
    rows = held.measures[model]
    order = [number for number in held.shown or sorted(rows) if number in rows and rows[number].source]
    place = order.index(held.row) if held.row in order else -1
    beside_own = visit().screen == "why"  # where the reference is the visitor's own translation
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="text-row"):
        if st.button("Back to the text", type="tertiary", icon=":material/arrow_back:", key="text-back"):
            st.switch_page(script("text"), query_params={})
        for label, icon, other in (("Previous", "chevron_left", place - 1), ("Next", "chevron_right", place + 1)):
            row = rows[order[other]] if place >= 0 and 0 <= other < len(order) else None
            st.button(
                label,
                type="tertiary",
                icon=f":material/{icon}:",
                key=f"text-{label.lower()}",
                disabled=row is None,
                on_click=open_row,
                args=(held, model, row.number, row.reference if beside_own else "") if row else (),
            )
        st.html(f'<p class="about">Sentence {held.row:,} of {len(held.text.lines):,}</p>', width="content")


def _translator(held: TranslatedText, question: Question) -> str:
    """Return the question's model, or else another, whose chosen row has the question's sentence; "" if none has."""
    found = (
        name
        for name in (question.model, *held.measures)
        if (row := held.measures.get(name, {}).get(held.row)) and row.source == question.sentence
    )
    return next(found, "")
