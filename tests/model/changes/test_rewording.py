import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.changes.intervention import UNTOUCHED, Intervention, Moved
from regard.model.changes.rewording import origins, reword, spans
from regard.model.tokenizer import Tokenizer
from regard.model.words import Span

SENTENCE = "I have a blue car."


def tokens(tokenizer: Tokenizer, sentence: str) -> list[str]:
    encoding = tokenizer.encode(sentence, tokenizer.languages[0])
    return [tokenizer.token(index) for index in encoding.ids]


def test_the_example_of_the_docstring() -> None:
    old = Intervention(
        weights=((2, (0.1, 0.1, 0.0, 0.2, 0.4, 0.2)),), hidden=(1, 3, 5), bonus=((0, 4, 1.0), (0, 5, 2.0))
    )
    new = old.carried(Moved(6, 5, first=3, last=1))
    assert new.weights[0][0] == 2
    assert new.weights[0][1] == pytest.approx((0.1, 0.1, 0.0, 0.6, 0.2))
    assert (new.hidden, new.bonus) == ((1, 4), ((0, 4, 2.0),))


def test_rows_of_single_heads_and_annotations_stay_with_their_tokens() -> None:
    row, moved = (0.1, 0.1, 0.0, 0.2, 0.4, 0.2), pytest.approx((0.1, 0.1, 0.0, 0.6, 0.2))
    decoder = ("decoder", 0, 0, 5, row)
    old = Intervention(
        head_weights=(("cross", 2, 0, 5, row), decoder, *(("encoder", 1, 3, place, row) for place in (0, 4, 5))),
        vectors=(("annotation", 2, (1.0,)), ("annotation", 3, (2.0,)), ("annotation", 5, (3.0,)), ("state", 5, (4.0,))),
    )
    new = old.carried(Moved(6, 5, first=3, last=1))
    assert new.head_weights[1] == decoder
    cross, first, end = new.head_weights[0], *new.head_weights[2:]
    assert (cross[:4], first[:4], end[:4]) == (("cross", 2, 0, 5), ("encoder", 1, 3, 0), ("encoder", 1, 3, 4))
    assert all(weights == moved for *_, weights in (cross, first, end))
    assert new.vectors == (("annotation", 2, (1.0,)), ("annotation", 4, (3.0,)), ("state", 5, (4.0,)))


@given(data=st.data())
def test_rows_go_on_adding_up_to_1_and_the_rest_keeps_its_weights(data: st.DataObject) -> None:
    first, last = data.draw(st.integers(0, 3)), data.draw(st.integers(1, 3))
    before, after = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    row = np.array(
        data.draw(st.lists(st.floats(0.01, 1), min_size=first + before + last, max_size=first + before + last))
    )
    row /= row.sum()
    changes = Intervention(weights=((0, tuple(row.tolist())),), hidden=tuple(range(first)))
    moved = changes.carried(Moved(len(row), first + after + last, first, last))
    ((_, weights),) = moved.weights
    assert sum(weights) == pytest.approx(1)
    assert weights[:first] == tuple(row[:first].tolist())
    assert weights[-last:] == tuple(row[-last:].tolist())
    assert moved.hidden == changes.hidden


WORDS = ["red", "very old", "T-shirt", "x", "bleu-blanc-rouge", "Łódź", "日本"]


@given(text=st.sampled_from(WORDS), word=st.integers(0, 5))
def test_the_end_of_the_sentence_stays_hidden_wherever_it_moves(tokenizer: Tokenizer, text: str, word: int) -> None:
    span = tokenizer.encode(SENTENCE, "en").words[word]
    changed = SENTENCE[: span.start] + text + SENTENCE[span.stop :]
    end = Intervention(hidden=(len(tokens(tokenizer, SENTENCE)),))
    assert reword(tokenizer, SENTENCE, end, word, text).hidden == (len(tokens(tokenizer, changed)),)


def test_replacing_and_putting_back_leaves_what_was_not_of_that_word(tokenizer: Tokenizer) -> None:
    length = len(tokens(tokenizer, SENTENCE)) + 1
    changes = Intervention(hidden=(0, length - 1), tokens=((1, 300),), temperature=2.0)
    there = reword(tokenizer, SENTENCE, changes, 3, "extraordinarily red")
    assert there.words == ((3, "extraordinarily red"),)
    assert reword(tokenizer, SENTENCE, there, 3, "blue") == changes


def test_the_words_of_the_changed_sentence_know_which_word_they_stand_for(tokenizer: Tokenizer) -> None:
    plain = tokenizer.encode(SENTENCE, "en")
    places = spans(plain, [(3, "dark red")])
    assert places[3:5] == (Span(9, 17), Span(18, 21))
    read = tokenizer.encode("I have a dark red car.", "en")
    assert origins(places, read.words) == (0, 1, 2, 3, 3, 4, 5)


def test_a_word_that_the_sentence_has_not_is_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(ValueError, match="source word 8 is past the end: the sentence has 6 words"):
        reword(tokenizer, SENTENCE, UNTOUCHED, 8, "red")
