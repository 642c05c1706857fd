import numpy as np
import pytest

from regard.model.changes import what_if
from regard.model.changes.intervention import TEMPERATURES, Intervention
from regard.model.changes.offers import UNALIGNED, golden, offered
from regard.model.checkpoint import Pretrained
from regard.model.translate import force, translate
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.detokenize import join

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


def test_a_sentence_that_nobody_aligned_has_no_gold_row(tiny_model: Pretrained) -> None:
    trace = translate(tiny_model, ["I love you."])[0]
    gold = offered(trace, trace, None)["gold"]
    assert gold == [UNALIGNED._asdict()] * len(trace.target)


def test_no_gold_weight_is_where_the_model_cannot_look(tiny_model: Pretrained) -> None:
    trace = force(tiny_model, [(join(PAIR.source, "en").text, "chat")])[0]
    assert not any(gold.row for gold in golden(PAIR, trace.alignment, np.zeros_like(trace.mask)))


def test_nothing_is_compared_where_nothing_is_changed(tiny_model: Pretrained) -> None:
    trace = translate(tiny_model, ["I love you."])[0]
    assert offered(trace, trace, None)["against"] is None


def test_a_replaced_word_is_told_with_what_it_was(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, ["I love you."])[0]
    after = what_if.translate(tiny_model, "I love you.", Intervention(words=((1, "do not see"),), temperature=0.33))
    told = offered(before, after, None)
    assert [word["word"] for word in told["words"]] == [0, 1, 1, 1, 2, 3]
    assert told["words"][2] == {"word": 1, "was": "love", "now": "do not see"}
    assert 0.33 in told["temperatures"]
    assert (told["temperatures"][0], told["temperatures"][-1]) == TEMPERATURES


def test_tokens_of_a_given_translation_count_as_given_up_to_the_first_forced_one(tiny_model: Pretrained) -> None:
    before = force(tiny_model, [("I love you.", "Je t'aime.")])[0]
    after = what_if.translate(tiny_model, "I love you.", Intervention(tokens=((3, 300),)), "Je t'aime.")
    told = offered(before, after, None)
    assert (told["fed"], told["forced"]) == ([0, 1, 2], [3])
