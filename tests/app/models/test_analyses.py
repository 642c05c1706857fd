from collections.abc import Iterator, Sequence

import pytest

from regard.app.models import analyses
from regard.app.models.analyses import PIECE, agreements, stories
from regard.app.models.result_cache import forget_all
from regard.model.checkpoint import Pretrained
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.from_attention import Aligned


class LeftError(Exception):
    """As Streamlit ends a run whose visitor asked for something else."""


def test_a_story_that_was_left_goes_on_where_it_was(shipped: Pretrained, monkeypatch: pytest.MonkeyPatch) -> None:
    measured, told = list[int](), list[float]()

    def count(_: Pretrained, pairs: Sequence[GoldPair], posteriors: bool) -> Iterator[Aligned]:
        measured.append(len(pairs))
        assert analyses._measuring.locked()  # nobody else's piece meanwhile
        return (Aligned(pairs=1) for _ in pairs)

    def leave(share: float) -> None:
        told.append(share)
        if len(told) == 3:
            raise LeftError

    forget_all()
    monkeypatch.setattr(analyses, "aligned", count)
    with pytest.raises(LeftError):
        agreements(shipped.name, stories()[0], True, leave)
    assert measured == [PIECE, PIECE]
    agreed = agreements(shipped.name, stories()[0], True, told.append)
    assert len(agreed) == sum(measured) == sum(each.pairs for each in agreed)
    assert told[3:] == sorted(told[3:])
    assert len(told[3:]) == len(measured)
    asked = len(measured)
    assert agreements(shipped.name, stories()[0], True, told.append) == agreed
    assert len(measured) == asked, "whoever asks later has nothing measured"
    forget_all()
