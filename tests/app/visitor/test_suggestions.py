"""Every sentence of "Break it" fails as it says; one that comes out right has to leave the list."""

import pytest

from regard.app.visitor.suggestions import Failure, failure_of, failures
from regard.model.checkpoint import PRETRAINED
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import write
from regard.pretrained.recipe.lists import Typed, accepted, pattern

each = pytest.mark.parametrize("failure", failures(), ids=lambda failure: failure.label)


@each
def test_a_sentence_of_the_list_still_fails(failure: Failure) -> None:
    (written,) = write(load_any(PRETRAINED / failure.model), [failure.sentence])
    entry = Typed("", failure.sentence, pattern(failure.right))
    assert not accepted(entry, written), f"{failure.sentence!r} comes out right as {written!r}; take it off the list"
    assert accepted(entry, failure.given), f"{failure.given!r} should be right for {failure.sentence!r}"


def test_a_sentence_is_known_with_its_model_alone() -> None:
    first = failures()[0]
    assert failure_of(first.sentence, first.model) == first
    assert failure_of(first.sentence, "another") is None
    assert len({failure.label for failure in failures()}) == len(failures())
