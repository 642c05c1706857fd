from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.reference.recompute import load_parameters, recompute, recompute_posterior
from regard.model.word_alignment.posterior import posterior
from tests.support.every_kind import KINDS, named

SENTENCE = "The old house?"


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_torch_and_numpy_agree(kind: dict[str, Any], make_model: Callable[..., Pretrained]) -> None:
    model = make_model(**kind)
    weights = load_parameters(model.folder, np.float64)
    ends = (0.5, *([0.0] * (len(model.tokenizer.encode(SENTENCE, "en").ids) - 1)), 0.5)
    for changes in (Intervention(), Intervention(weights=((1, ends),), temperature=0.7)):
        trace = what_if.translate(model, SENTENCE, changes)
        steering = trace.intervention.steering(*trace.weights.shape)
        again = recompute(weights, trace.source_ids, trace.target_ids, steering)
        found, recomputed = posterior(model, trace), recompute_posterior(weights, again)
        for name in ("prior", "likelihood", "product", "evidence", "posterior"):
            np.testing.assert_allclose(getattr(found, name), getattr(recomputed, name), rtol=1e-4, atol=1e-6)
