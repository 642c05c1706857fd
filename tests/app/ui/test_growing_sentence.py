import re
from collections.abc import Callable
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.ui.growing_sentence import MOST_CLAUSES, entries, grow, grown, in_threes, lines, sentence
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


def test_the_list_shows_the_translations_and_their_probabilities(models: list[Pretrained]) -> None:
    made, _ = grown(["I love you.", "and the cat"], NAMES)
    html = entries(made, ["general", "no attention"])
    shown = [unescape(re.sub("</?mark>", "", text)) for text in re.findall(r'class="made"[^>]*>(.*?)</p>', html)]
    assert shown == [trace.text or "—" for one in reversed(made) for trace in one.traces]
    for one in made:
        assert f"{100 * one.alike:.1f}% of the words in common" in html
        assert all(f"probability per token {100 * trace.mean_probability:.1f}%" in html for trace in one.traces)
    assert "I love you <strong>and the cat</strong>." in html


def test_markup_that_is_typed_stays_text(models: list[Pretrained]) -> None:
    made, _ = grown(["<img src=x onerror=alert(1)>", "<b>& more</b>"], NAMES)
    html = entries(made, ["<i>", "b"])
    assert "<img" not in html
    assert "<b>" not in html
    assert "<i>" not in html


def test_each_clause_lengthens_the_sentence_and_the_full_stop_moves_to_its_end() -> None:
    assert grow(["A boy plays.", "in the park", "with his friends."]) == [
        "A boy plays.",
        "A boy plays in the park.",
        "A boy plays in the park with his friends.",
    ]


@given(st.text(max_size=3000))
def test_whatever_is_typed_makes_as_many_sentences_as_there_are_clauses(text: str) -> None:
    clauses = lines(text)
    made = grow(clauses)
    assert len(made) == len(clauses) <= MOST_CLAUSES
    assert sentence(text) == (made[-1] if made else "")
    assert all(longer.startswith(shorter[:-1].rstrip()) for shorter, longer in pairwise(made))


def test_a_sequence_of_digits_grows_by_threes_and_ends_in_no_full_stop() -> None:
    assert in_threes("5 1 8 3 0 6 2") == ("5 1 8", "3 0 6", "2")
    assert grow(in_threes("5 1 8 3 0")) == ["5 1 8", "5 1 8 3 0"]
    assert in_threes("") == ()
