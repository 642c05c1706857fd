from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Pair
from regard.model.trace import AnyTrace
from regard.model.translate import translate
from regard.model.words import words
from regard.pretrained.recipe.doubt import (
    fitted,
    judged_pairs,
    made_omissions,
    measured,
)

SENTENCES = [f"The cat has {number} mats." for number in range(30)]


def unseen(traces: Iterator[AnyTrace], what: str, total: int) -> Iterable[AnyTrace]:
    return traces


@pytest.fixture(scope="module")
def pairs(tiny_model: Pretrained) -> list[Pair]:
    """Every second reference is the model's own translation; one source has both a far and a near reference."""
    traces = translate(tiny_model, SENTENCES)
    pairs = [Pair(trace.alignment.source.text, trace.text if n % 2 else "Zut") for n, trace in enumerate(traces)]
    return [*pairs, Pair(SENTENCES[0], traces[0].text)]


def test_a_fit_leaves_the_mean_chance_at_the_share_that_is_right(tiny_model: Pretrained, pairs: list[Pair]) -> None:
    """As every logistic regression with an intercept does on the text that it was fitted on."""
    judged = judged_pairs(tiny_model, pairs, unseen)
    doubt = fitted(tiny_model, judged, judged, ["la la maison", "la la rue", "la la gare", "une maison"])
    assert doubt.chances(judged.features).mean() == pytest.approx(judged.right.mean(), abs=1e-6)
    assert doubt.model == tiny_model.fingerprint
    assert doubt.repeated == {"la"}
    scores = measured(doubt, judged)
    assert scores["sentences"] == 30
    assert scores["right"] == pytest.approx(16 / 30, abs=1e-4)
    assert scores["chance"]["auc"] >= 0.5


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
