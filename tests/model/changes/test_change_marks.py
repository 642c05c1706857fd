from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.changes import what_if
from regard.model.changes.change_marks import against, changes, same_until
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.tokenizer import PAD, START, STOP
from regard.model.trace import Trace
from regard.model.translate import force, translate
from tests.support.exported_page import SENTENCE


@pytest.mark.parametrize("own", [False, True])
def test_a_token_that_was_given_is_told_as_given_though_the_model_would_have_written_it(
    shipped: Pretrained, own: bool
) -> None:
    """Nothing of it shows in the changed trace alone where the given translation is the model's own."""
    given = translate(shipped, ["I love you."])[0].text if own else "Tu me manques."
    first = force(shipped, [("I love you.", given)])[0]
    then = what_if.translate(shipped, "I love you.", Intervention(tokens=((2, 300),)), given)
    likeliest = [next(token for token in row if token >= STOP) for row in then.top_ids[:2].tolist()]
    assert (likeliest == then.target_ids[:2].tolist()) is own
    assert (changes(first, then)["fed"], changes(first, then)["forced"]) == ([0, 1], [2])
    assert changes(then, then)["fed"] == ([] if own else [0, 1])  # a changed trace without the one before


def test_what_the_model_chose_itself_is_not_told_as_given(tiny_model: Pretrained, before: Trace, after: Trace) -> None:
    assert changes(before, after)["fed"] == []
    other = force(tiny_model, [(SENTENCE, "Le chien.")])[0]
    assert changes(other, after)["fed"] == []  # what was given there is not what was written here


@settings(max_examples=20)
@given(st.text(max_size=20))
def test_the_words_of_a_sentence_are_read_off_its_trace(tiny_model: Pretrained, text: str) -> None:
    before = translate(tiny_model, [text])[0]
    read = tiny_model.tokenizer.encode(text, "en")
    own = [read.text[word.start : word.stop] for word in read.words]
    same = tuple((place, word[:200]) for place, word in enumerate(own[:1]))
    for after in (before, what_if.translate(tiny_model, text, Intervention(words=same))):
        words = [{"word": place, "was": word, "now": word} for place, word in enumerate(own)]
        assert changes(before, after)["words"] == words


@pytest.mark.parametrize("never_written", [PAD, START])
def test_a_step_where_a_token_that_is_never_written_is_likeliest_was_not_given(
    never_written: int, before: Trace
) -> None:
    first = np.full_like(before.top_ids[:, :1], never_written)
    after = replace(before, top_ids=np.hstack([first, before.top_ids[:, :-1]]))
    assert changes(before, after)["fed"] == []


def test_changes_of_another_sentence_compare_with_nothing(tiny_model: Pretrained, after: Trace) -> None:
    found = changes(translate(tiny_model, ["Where is the train station?"])[0], after)
    assert (found["words"], found["against"]) == ([], None)
    assert found["hidden"] == [0]


def test_ranks_and_probabilities_are_compared_while_both_write_the_same(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, ["I love you."])[0]
    after = what_if.translate(tiny_model, "I love you.", Intervention(tokens=((2, 300),), temperature=3.0))
    assert same_until(before, after) <= 2
    compared = against(before, after)
    assert len(compared) == same_until(before, after) + 1
    for step, row in enumerate(compared):
        for rank, one in enumerate(row):
            token = after.top_ids[step, rank]
            if one is None:
                assert token not in before.top_ids[step]
            else:
                assert before.top_ids[step, one.rank] == token
                change = after.top_probabilities[step, rank] - before.top_probabilities[step, one.rank]
                assert one.change == pytest.approx(change)
