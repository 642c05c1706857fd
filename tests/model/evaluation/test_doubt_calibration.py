from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Pair
from regard.model.doubt.chance import credit, features
from regard.model.evaluation.doubt_calibration import fitted, judged_list, judged_pairs, measured
from regard.model.evaluation.typed_first import Typed, pattern
from regard.model.trace import AnyTrace
from regard.model.translate import translate

SENTENCES = [f"The cat has {number} mats." for number in range(30)]


def unseen(traces: Iterator[AnyTrace], what: str, total: int) -> Iterable[AnyTrace]:
    return traces


@pytest.fixture(scope="module")
def pairs(tiny_model: Pretrained) -> list[Pair]:
    """Every second reference is the model's own translation; one source has both a far and a near reference."""
    traces = translate(tiny_model, SENTENCES)
    pairs = [Pair(trace.alignment.source.text, trace.text if n % 2 else "Zut") for n, trace in enumerate(traces)]
    return [*pairs, Pair(SENTENCES[0], traces[0].text)]


def test_the_nearest_reference_decides_and_the_features_are_those_of_the_traces(
    tiny_model: Pretrained, pairs: list[Pair]
) -> None:
    judged = judged_pairs(tiny_model, pairs, unseen)
    assert judged.right.tolist() == [True, *(bool(n % 2) for n in range(1, 30))]
    trace = translate(tiny_model, [SENTENCES[3]])[0]
    np.testing.assert_allclose(judged.features[3], features(trace), rtol=1e-5)
    assert len(judged.credits["cat"]) == 30
    assert judged.credits["cat"][3] == pytest.approx(float(credit(trace)[1]), rel=1e-5)


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


def test_a_list_is_judged_by_its_patterns(tiny_model: Pretrained) -> None:
    (trace,) = translate(tiny_model, ["The cat sat."])
    entries = [Typed("any", "The cat sat.", pattern(french)) for french in (trace.text.replace("|", ""), "Zut")]
    assert judged_list(tiny_model, entries).right.tolist()[1] is False
