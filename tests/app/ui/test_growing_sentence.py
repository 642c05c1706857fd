import re
from collections.abc import Callable
from html import unescape

import pytest

from regard.app.ui.growing_sentence import entries, grown
from regard.app.wording import SCREEN_TOKENS
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
