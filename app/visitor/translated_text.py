"""Translated text: a visitor's text by each model, kept in the visit; pieces of all visitors take turns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import streamlit as st

from regard.app.models.aligned_sentences import gold, stories
from regard.app.models.models import any_pretrained
from regard.app.models.registry import folder, languages
from regard.app.models.result_cache import remembered
from regard.app.visitor.suggestions import to_try
from regard.model.doubt.chance import load
from regard.model.input_error import InputError
from regard.model.text_report.measuring import measured
from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.model.text_report.text_input import TextLine, TextToTranslate, read

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


_example_piece = remembered(2)(_piece)


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
