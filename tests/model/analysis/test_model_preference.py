"""The preference between two translations: where they part, who is likelier, what a beam finds, what would tip it."""

import numpy as np
import pytest

from regard.model.analysis.model_preference import WIDTHS, Preference, preference
from regard.model.changes.intervention import Intervention
from regard.model.changes.what_if import translate as changed
from regard.model.checkpoint import Pretrained
from regard.model.decoding.beam import encode, search
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.input_error import InputError
from regard.model.translate import force, translate

SENTENCE = "The cat sat."


@pytest.fixture(scope="module")
def found(restless: Pretrained) -> Preference:
    (own,), (other,) = translate(restless, [SENTENCE]), force(restless, [(SENTENCE, "Le chat noir.")])
    return preference(restless, own, other)


def test_they_part_at_the_first_different_token_and_both_probabilities_come_from_one_distribution(
    restless: Pretrained, found: Preference
) -> None:
    parting = found.parting
    assert parting
    own, other = found.own.target_ids.tolist(), found.other.target_ids.tolist()
    assert own[: parting.step] == other[: parting.step]
    assert own[parting.step] != other[parting.step]
    assert parting.own_probability >= parting.other_probability
    assert parting.other_probability == pytest.approx(parting.search.own.wanted.probability, rel=1e-4)
    assert found.gap == pytest.approx(found.other.log_probability - found.own.log_probability)
    assert found.search_error == (found.gap > 0)


def test_a_beam_is_asked_for_the_other_translation(restless: Pretrained, found: Preference) -> None:
    assert [beam.width for beam in found.beams] == list(WIDTHS)
    ids = tuple(found.other.target_ids.tolist())
    ranked = [hypothesis.ids for hypothesis in search(restless, encode(restless, SENTENCE), BeamSettings(WIDTHS[0]))]
    assert (found.beams[0].place > 0) == (ids in ranked)


def test_a_hidden_word_gives_the_probability_of_an_intervention(restless: Pretrained, found: Preference) -> None:
    assert found.parting
    side, step = found.other.alignment.source, found.parting.step
    hidden = [tip for tip in found.parting.tips if tip.kind == "hidden"]
    assert hidden
    for tip in hidden:
        word = side.words.index(tip.text)
        places = tuple(place for place, owner in enumerate(side.word_of) if owner == word)
        trace = changed(restless, SENTENCE, Intervention(hidden=places), "Le chat noir.")
        assert tip.probability == pytest.approx(float(np.exp(trace.log_probabilities[step])), rel=1e-4)


def test_the_same_translation_parts_nowhere_and_another_sentence_is_refused(restless: Pretrained) -> None:
    (own,) = force(restless, [(SENTENCE, "Le chat.")])
    assert preference(restless, own, own).parting is None
    with pytest.raises(InputError, match="different sentences"):
        preference(restless, own, force(restless, [("The car.", "Le chat.")])[0])
