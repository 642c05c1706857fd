from collections import Counter
from collections.abc import Sequence

import pytest

from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Pair
from regard.model.doubt.chance import CoverageFlag, Doubt
from regard.model.evaluation.made_omissions import MadeOmission, flag_scores, made_omissions
from regard.model.trace import AnyTrace
from regard.model.words import words

TEXTS = [f"Le chat noir dort sur {n} tapis rouges." for n in range(2, 12)]
PAIRS = [Pair(f"The black cat sleeps on {n} red mats.", text) for n, text in zip(range(2, 12), TEXTS, strict=True)]


def counts(text: str) -> Counter[str]:
    return Counter(text[word.start : word.stop] for word in words(text, "fr"))


def test_one_content_word_is_gone_or_there_twice(tiny_model: Pretrained) -> None:
    made = made_omissions(tiny_model, PAIRS, 6)
    assert [one.change for one in made] == ["deleted", "doubled"] * 3
    for one in made:
        before, after = counts(one.pair.target), counts(one.changed)
        changed = (before - after) if one.change == "deleted" else (after - before)
        assert sum(changed.values()) == 1
        assert next(iter(changed)).lower() not in ("le", "sur", ".")
    assert made == made_omissions(tiny_model, PAIRS, 6)
    assert made != made_omissions(tiny_model, PAIRS, 6, seed=1)


def test_a_perfect_flag_has_precision_and_recall_of_1_and_one_that_is_always_up_half(
    tiny_model: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = made_omissions(tiny_model, PAIRS, 6)
    doubt = Doubt("", 0.0, {}, frozenset(), frozenset())
    found = {one.changed: one for one in made if one.change == "deleted"}

    def perfect(_: Doubt, trace: AnyTrace) -> Sequence[CoverageFlag]:
        one: MadeOmission | None = found.get(trace.text)
        return (CoverageFlag(one.source_word, "left out", -1, 0.0),) if one else ()

    monkeypatch.setattr(Doubt, "flags", perfect)
    scores = flag_scores(tiny_model, doubt, made)["left_out"]
    assert (scores["precision"], scores["recall"], scores["named"]) == (1.0, 1.0, 1.0)
    monkeypatch.setattr(Doubt, "flags", lambda _, trace: (CoverageFlag(0, "left out", -1, 0.0),))
    scores = flag_scores(tiny_model, doubt, made)["left_out"]
    assert (scores["precision"], scores["recall"]) == (round(3 / 9, 4), 1.0)
