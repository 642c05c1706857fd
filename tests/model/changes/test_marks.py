from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.changes import what_if
from regard.model.changes.intervention import TEMPERATURES, UNTOUCHED, Intervention
from regard.model.changes.marks import change_texts, changes
from regard.model.changes.rewording import reword
from regard.model.changes.session import golden, offered
from regard.model.changes.what_if import translate as changed
from regard.model.checkpoint import Pretrained
from regard.model.tokenizer import PAD, START, STOP
from regard.model.trace import Trace
from regard.model.translate import force, translate
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.detokenize import join

LOVE = "I love you."


def texts(model: Pretrained, before: Trace, changes: Intervention) -> list[str]:
    after = changed(model, LOVE, changes)
    return [change.text for change in change_texts(model.tokenizer, LOVE, before, after)]


def test_each_kind_of_change_in_plain_words(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, [LOVE])[0]
    length = len(before.source)
    row = (1.0, *[0.0] * (length - 1))
    assert texts(tiny_model, before, Intervention(hidden=(length - 1,))) == ["the end of the sentence is masked"]
    assert texts(tiny_model, before, Intervention(temperature=0.5)) == ["softmax temperature 0.5"]
    assert texts(tiny_model, before, Intervention(weights=((3, row),))) == ["step 4: weights set by hand"]
    assert texts(tiny_model, before, Intervention(bonus=((3, 0, 2.0), (3, length - 1, -1.5)))) == [
        "step 4: 2 added to the score of “I”",
        "step 4: 1.5 taken from the score of the end of the sentence",
    ]
    assert texts(tiny_model, before, Intervention(words=((1, "see"),))) == ["“love” is replaced by “see”"]


def test_ending_the_sentence_and_writing_what_the_model_writes_are_said_as_such(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, [LOVE])[0]
    assert texts(tiny_model, before, Intervention(tokens=((2, STOP),)))[0].startswith(
        "step 3: ends the sentence instead"
    )
    own = Intervention(tokens=((0, int(before.target_ids[0])),))
    assert texts(tiny_model, before, own)[0].endswith(", as before")


def test_taking_out_every_change_leaves_none_and_each_leaves_the_others(tiny_model: Pretrained) -> None:
    tokenizer, before = tiny_model.tokenizer, translate(tiny_model, [LOVE])[0]
    length = len(before.source)
    changes = Intervention(
        tokens=((1, 300), (4, 301)), weights=((2, (0.0, 1.0, *[0.0] * (length - 2))),), hidden=(0,),
        bonus=((3, 1, 1.0),), temperature=2.0,
    )  # fmt: skip
    changes = reword(tokenizer, LOVE, changes, 2, "the house")
    count = 7
    while changes != UNTOUCHED:
        listed = change_texts(tokenizer, LOVE, before, changed(tiny_model, LOVE, changes))
        assert len(listed) == count
        changes, count = listed[-1].without, count - 1
    assert count == 0


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


PAIR = GoldPair(
    "1", "the cat is n't black .", "le chat n' est pas noir .",
    sure=frozenset({(0, 0), (1, 1), (2, 3), (4, 5), (5, 6)}),
    possible=frozenset({(0, 0), (1, 1), (2, 3), (3, 2), (3, 4), (4, 5), (5, 6)}),
)  # fmt: skip


def rows(model: Pretrained, target: str) -> dict[str, tuple[dict[str, float], str]]:
    """For each word that is produced: the weight that each source word gets, and why there is none."""
    trace = force(model, [(join(PAIR.source, "en").text, target)])[0]
    source, found = trace.alignment.source, {}
    for step, gold in enumerate(golden(PAIR, trace.alignment, trace.mask)):
        weights = dict.fromkeys(source.words, 0.0)
        for position, weight in enumerate(gold.row):
            weights[source.words[source.word_of[position]]] += weight
        word = trace.alignment.target.words[trace.alignment.target.word_of[step]]
        found[word] = ({name: weight for name, weight in weights.items() if weight}, gold.why)
    return found


def test_the_gold_row_is_on_the_words_that_people_linked(tiny_model: Pretrained) -> None:
    found = rows(tiny_model, "Le chat n'est pas noir.")
    assert found["chat"] == ({"cat": pytest.approx(1)}, "")
    assert found["noir"] == ({"black": pytest.approx(1)}, "")
    assert found["pas"] == ({"n't": pytest.approx(1)}, "")
    assert "end of the sentence" in found["</s>"][1]


def test_a_word_that_the_hand_made_translation_has_not_has_no_gold_row(tiny_model: Pretrained) -> None:
    weights, why = rows(tiny_model, "Le chien est noir.")["chien"]
    assert not weights
    assert why == "The hand-made translation has no “chien”: le chat n'est pas noir."


def test_a_replaced_word_is_told_with_what_it_was(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, ["I love you."])[0]
    after = what_if.translate(tiny_model, "I love you.", Intervention(words=((1, "do not see"),), temperature=0.33))
    told = offered(before, after, None)
    assert [word["word"] for word in told["words"]] == [0, 1, 1, 1, 2, 3]
    assert told["words"][2] == {"word": 1, "was": "love", "now": "do not see"}
    assert 0.33 in told["temperatures"]
    assert (told["temperatures"][0], told["temperatures"][-1]) == TEMPERATURES
