"""Remarks about a sentence, and the rule that nothing a person typed is ever run."""

import re
from collections.abc import Iterable
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.wording import JOINER, compared, marked, out_of_ten, plain_markdown, remark, set_apart
from regard.model.config import Config
from regard.model.tokenizer import Tokenizer, plain_tokenizer
from tests.support.made_traces import SOURCE, TARGET, made_of


@given(st.text())
def test_every_punctuation_mark_is_escaped_for_markdown(text: str) -> None:
    shown = plain_markdown(text)
    assert re.fullmatch(r"(?:\\[!-/:-@\[-`{-~]|[^!-/:-@\[-`{-~])*", shown)
    assert re.sub(r"\\(.)", r"\1", shown).replace(JOINER, "") == " ".join(text.split()).replace(JOINER, "")


@pytest.mark.parametrize(
    "text", ["https://evil.example", "WWW.evil.example", "me@evil.example", "a http://b.c", "mailto:a"]
)
def test_an_address_that_a_visitor_typed_becomes_no_link(text: str) -> None:
    shown = re.sub(r"\\(.)", r"\1", plain_markdown(text))
    assert not re.search(r"https?:|www\.|mailto:|@[\w.]", shown, re.IGNORECASE)
    assert shown.replace(JOINER, "") == text


@pytest.mark.parametrize(
    ("symbols", "known"),
    [(range(10), "0 to 9"), ("ab", "a and b"), (range(1, 13), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and others")],
)
def test_a_model_of_sequences_says_which_symbols_it_knows(symbols: Iterable[object], known: str) -> None:
    digits = plain_tokenizer([str(symbol) for symbol in symbols])
    told = remark(digits, digits.encode("x 47", "plain"), usual_length=40)
    assert told == f"The model does not know “x”, “47”; it knows {known}."


def test_a_sentence_longer_than_those_of_the_training_is_remarked(tokenizer: Tokenizer) -> None:
    read = tokenizer.encode("the cat", "en")
    told = f"It has {len(read.ids)} tokens; at least 99% of the sentences the model learned from have at most 1."
    assert remark(tokenizer, read, usual_length=1) == told


ALIKE = {"updates": "19,000", "text": "a"}


@pytest.mark.parametrize(
    ("other", "training", "says"),
    [
        ({}, ALIKE, "They have the same sizes, wiring and training."),
        ({"cell": "gru"}, ALIKE, "They differ in cell (LSTM, GRU) alone."),
        (
            {"score": "none", "initial_state": "encoder"},
            ALIKE,
            "score (general, none) and initial state (zero, encoder).",
        ),
        ({"wiring": "bahdanau", "score": "concat"}, ALIKE, "wiring (Luong, Bahdanau)"),
        ({"input_feeding": True}, ALIKE, "They differ in input feeding (not used, used) alone."),
        (
            {"input_feeding": True},
            {"updates": "67,600", "text": "b"},
            "They differ in input feeding (not used, used), updates (19,000, 67,600) and the text read in training. A "
            "difference between their translations may come from any of these.",
        ),
    ],
)
def test_everything_that_sets_models_apart_is_named(other: dict[str, Any], training: dict[str, str], says: str) -> None:
    assert says in set_apart([Config(vocabulary=9), Config(vocabulary=9, **other)], [ALIKE, training])


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        (
            "une voiture rouge et une robe noire.",
            "une robe rouge et noire.",
            ("une <s>voiture</s> rouge et <s>une</s> <s>robe</s> noire.", "une <mark>robe</mark> rouge et noire."),
        ),
        ("Le chat", "le chat !", ("Le chat", "le chat !")),
        ("chat noir", "noir chat", ("<s>chat</s> noir", "noir <mark>chat</mark>")),
        ("<b> & noire", "noire", ("&lt;<s>b</s>&gt; &amp; noire", "noire")),
        ("", "rien", ("", "<mark>rien</mark>")),
    ],
)
def test_what_fell_out_and_what_is_new_are_marked_where_they_stand(
    before: str, after: str, marked: tuple[str, str]
) -> None:
    assert compared(before, after, "s") == marked


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (0.02, "fewer than 1 of 10 such translations are acceptable (chrF ≥ 60)"),
        (0.05, "about 1 of 10 such translations is acceptable (chrF ≥ 60)"),
        (0.25, "about 3 of 10 such translations are acceptable (chrF ≥ 60)"),
        (0.97, "over 9 of 10 such translations are acceptable (chrF ≥ 60)"),
    ],
)
def test_a_chance_is_told_out_of_ten(chance: float, told: str) -> None:
    assert out_of_ten(chance) == told


def test_the_weakest_word_is_underlined_and_no_other_character_changes() -> None:
    trace = made_of(SOURCE, TARGET)
    html = marked(trace, doubtful=True)
    assert html.count("<u ") == 1
    assert unescape(re.sub("<[^>]*>", "", html)) == trace.text
