from collections.abc import Callable

import pytest

from regard.model.analysis.constant_context import ablated
from regard.model.checkpoint import Pretrained, load
from regard.model.translate import write

SENTENCES = ("The boy sees the old house.", "I love you.")


@pytest.fixture
def without(make_model: Callable[..., Pretrained]) -> Pretrained:
    return make_model(score="none", initial_state="encoder", encoder_state=7)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_with_nothing_removed_it_is_the_translation(without: Pretrained, sentence: str) -> None:
    assert [ablated(without, sentence)] == write(without, [sentence])


def test_with_both_lists_removed_every_sentence_becomes_the_same(without: Pretrained) -> None:
    one, other = (ablated(without, sentence, state=True, context=True) for sentence in SENTENCES)
    assert one[:10] == other[:10]


def test_each_list_alone_still_tells_sentences_apart(shipped: Pretrained) -> None:
    model = load(shipped.folder.parent / "en-fr-none")
    for removed in ({"state": True}, {"context": True}):
        one, other = (ablated(model, sentence, **removed) for sentence in SENTENCES)
        assert one != other
