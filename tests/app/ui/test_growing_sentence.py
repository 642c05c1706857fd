import re
from collections.abc import Callable
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.ui.growing_sentence import (
    MOST_CLAUSES,
    added,
    entries,
    grow,
    grown,
    in_threes,
    lines,
    opening,
    sentence,
    shortened,
    unused,
)
from regard.app.wording import CLAUSES, SCREEN_TOKENS
from regard.model.analysis.model_comparison import likeness
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate

NAMES = ["with", "without"]


@pytest.fixture
def models(offer: Callable[..., Pretrained]) -> list[Pretrained]:
    """A model with attention and one without, in the place where the app looks for them."""
    return [offer("with"), offer("without", score="none", initial_state="encoder")]


def test_every_length_has_the_translation_of_each_model(models: list[Pretrained]) -> None:
    made, wrong = grown(["I love you.", "and the cat"], NAMES)
    assert wrong == ""
    assert [one.sentence for one in made] == ["I love you.", "I love you and the cat."]
    assert [one.words for one in made] == [3, 6]
    assert [one.alike for one in made] == [likeness(*(trace.alignment.target for trace in one.traces)) for one in made]
    assert min(one.alike for one in made) < 1
    for place, model in enumerate(models):
        texts = [trace.text for trace in translate(model, [one.sentence for one in made])]
        assert [one.traces[place].text for one in made] == texts


def test_a_word_is_counted_and_a_punctuation_mark_is_not(models: list[Pretrained]) -> None:
    made, _ = grown(["Yes!", "the cat, my friend, sleeps"], NAMES)
    assert [one.words for one in made] == [1, 6]
    said = re.findall(r"(\d+ words?) ·", entries(made, ["general", "no attention"]))
    assert said == ["6 words", "1 word"]


def test_growth_ends_where_a_sentence_is_too_long_for_the_page(models: list[Pretrained]) -> None:
    made, wrong = grown(["I love you.", "word " * 100, "and more"], NAMES)
    assert [one.sentence for one in made] == ["I love you."]
    assert str(SCREEN_TOKENS - 1) in wrong


def test_the_list_shows_the_translations_and_their_probabilities(models: list[Pretrained]) -> None:
    made, _ = grown(["I love you.", "and the cat"], NAMES)
    html = entries(made, ["general", "no attention"])
    shown = [unescape(re.sub("</?mark>", "", text)) for text in re.findall(r'class="made"[^>]*>(.*?)</p>', html)]
    assert shown == [trace.text or "—" for one in reversed(made) for trace in one.traces]
    for one in made:
        assert f"{100 * one.alike:.1f}% of the words in common" in html
        assert all(f"probability per token {100 * trace.mean_probability:.1f}%" in html for trace in one.traces)
    assert "I love you <strong>and the cat</strong>." in html


def test_the_same_translation_twice_has_no_word_marked(models: list[Pretrained]) -> None:
    made, _ = grown(["I love you."], ["with", "with"])
    assert made[0].alike == 1
    assert "<mark>" not in entries(made, ["a", "b"])


def test_markup_that_is_typed_stays_text(models: list[Pretrained]) -> None:
    made, _ = grown(["<img src=x onerror=alert(1)>", "<b>& more</b>"], NAMES)
    html = entries(made, ["<i>", "b"])
    assert "<img" not in html
    assert "<b>" not in html
    assert "<i>" not in html


LANGUAGES = ("en", "fr")


def test_each_clause_lengthens_the_sentence_and_the_full_stop_moves_to_its_end() -> None:
    assert grow(["A boy plays.", "in the park", "with his friends."]) == [
        "A boy plays.",
        "A boy plays in the park.",
        "A boy plays in the park with his friends.",
    ]


def test_a_question_stays_a_question_and_what_has_no_mark_gets_a_full_stop() -> None:
    assert grow(["Do you see the boy?", "in the park"])[-1] == "Do you see the boy in the park?"
    assert grow(["a boy", "in the park"]) == ["a boy.", "a boy in the park."]


def test_lines_without_a_letter_are_none() -> None:
    assert lines("\n  \nA boy.\n...\n\t\nin  the park \n") == ["A boy.", "in the park"]
    assert sentence("\n...\n") == ""


@given(st.text(max_size=3000))
def test_whatever_is_typed_makes_as_many_sentences_as_there_are_clauses(text: str) -> None:
    clauses = lines(text)
    made = grow(clauses)
    assert len(made) == len(clauses) <= MOST_CLAUSES
    assert sentence(text) == (made[-1] if made else "")
    assert all(longer.startswith(shorter[:-1].rstrip()) for shorter, longer in pairwise(made))


@given(st.lists(st.sampled_from(CLAUSES[LANGUAGES]), min_size=1, max_size=MOST_CLAUSES - 1).map("\n".join))
def test_taking_the_last_clause_away_undoes_adding_one(text: str) -> None:
    assert shortened(added(text, "in the snow")) == text


def test_the_first_line_is_never_taken_away() -> None:
    assert shortened("A boy.") == "A boy."


def test_what_is_offered_is_not_there_yet() -> None:
    clauses = CLAUSES[LANGUAGES]
    first = opening(clauses)
    offered = unused(first, clauses)
    assert not set(offered) & set(lines(first))
    assert set(offered) | set(lines(first)) == set(clauses)
    assert opening(()) == ""


def test_a_sequence_of_digits_grows_by_threes_and_ends_in_no_full_stop() -> None:
    assert in_threes("5 1 8 3 0 6 2") == ("5 1 8", "3 0 6", "2")
    assert grow(in_threes("5 1 8 3 0")) == ["5 1 8", "5 1 8 3 0"]
    assert in_threes("") == ()
