from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from regard.model.analysis.claims import apart, by_words, forgetting, gradient_paths, moved, moved_by_others
from regard.model.cells import CELLS
from regard.model.checkpoint import Pretrained
from regard.model.tokenizer import START
from regard.model.translate import force, translate
from tests.support.every_kind import named

WIRED: list[dict[str, Any]] = [{"input_feeding": True}, {"score": "concat", "wiring": "bahdanau"}]


def test_a_word_moves_by_the_length_of_its_change_over_its_own_length() -> None:
    before = np.array([[3.0, 4.0], [0.0, 2.0], [1.0, 0.0]])
    after = np.array([[3.0, 4.0], [0.0, 3.0], [0.0, 1.0]])
    np.testing.assert_allclose(moved(before, after), [0, 0.5, np.sqrt(2)])


def test_a_words_annotation_is_the_mean_over_its_tokens(tiny_model: Pretrained) -> None:
    trace = translate(tiny_model, ["The boy sees it."])[0]
    source = trace.alignment.source
    together = replace(source, words=("all", "</s>"), word_of=(*[0] * (len(source.tokens) - 1), 1))
    merged = replace(trace, alignment=replace(trace.alignment, source=together))
    found = by_words(merged)
    np.testing.assert_allclose(found[0], trace.annotations[:-1].astype(np.float64).mean(0))
    np.testing.assert_allclose(found[1], trace.annotations[-1])


@pytest.mark.parametrize("choice", [*({"cell": cell} for cell in CELLS), *WIRED, {"initial_state": "encoder"}], ids=str)
def test_with_the_same_french_states_differ_only_where_the_source_gets_into_the_state(
    choice: dict[str, Any], make_model: Callable[..., Pretrained]
) -> None:
    model = make_model(**choice)
    written = "Je vois la voiture rouge."
    found = apart(*force(model, [("I love you.", written), ("Where is the train station?", written)]))
    assert (found.states > 1e-3) == (model.config.source_in_state != "never")
    assert found.states == 0.0 or model.config.source_in_state != "never"
    assert found.contexts > 0.01


def test_sentences_that_are_fed_other_tokens_are_not_compared(tiny_model: Pretrained) -> None:
    one, other = force(tiny_model, [("I love you.", "Je t'aime."), ("I love you.", "Je vois la voiture.")])
    with pytest.raises(ValueError, match="fed different tokens"):
        apart(one, other)


@pytest.mark.parametrize("choice", [{}, *WIRED], ids=named)
def test_the_gradients_by_all_ways_add_up_to_that_of_finite_differences(
    choice: dict[str, Any], make_model: Callable[..., Pretrained]
) -> None:
    model = make_model(**choice)
    trace = translate(model, ["The boy sees it."])[0]
    exact = replace(model, network=deepcopy(model.network).double())
    network, step = exact.network, len(trace.target) - 1
    with torch.no_grad():
        memory = network.encode(torch.tensor(trace.source_ids)[None])
    fed = torch.tensor([[START, *trace.target_ids[:-1].tolist()]])

    def log_p(annotations: np.ndarray) -> float:
        with torch.no_grad():
            vectors = network.vectors(fed, network.annotated(memory, torch.tensor(annotations)[None]))
            return float(network.logits(vectors)[0, step].log_softmax(0)[int(trace.target_ids[step])])

    ways = gradient_paths(exact, trace, step)
    own = trace.annotations.astype(np.float64)
    direction, small = np.random.default_rng(0).normal(size=own.shape), 1e-5
    slope = (log_p(own + small * direction) - log_p(own - small * direction)) / (2 * small)
    np.testing.assert_allclose(float((sum(ways) * direction).sum()), slope, rtol=1e-4)
    assert (np.abs(ways.recurrence).max() > 0) == bool(choice)  # otherwise the state never sees the source


def test_a_summary_moves_as_far_as_the_encoder_says_without_a_token(make_model: Callable[..., Pretrained]) -> None:
    model = make_model(score="none", initial_state="encoder")
    sentence = "The boy sees it."
    found = forgetting(model, [sentence, "I love you."])
    trace = translate(model, [sentence])[0]
    half, ids = model.network.config.encoder_state, trace.source_ids.tolist()
    shifts = []
    for out in range(len(ids) - 1):
        with torch.no_grad():
            after = model.network.encode(torch.tensor([ids[:out] + ids[out + 1 :]])).annotations[0, -1, :half].numpy()
        shifts.append(
            np.linalg.norm(after - trace.annotations[-1, :half]) / np.linalg.norm(trace.annotations[-1, :half])
        )
    thirds = [part.mean() for part in np.array_split(shifts, 3)]
    np.testing.assert_allclose(found.one_way[0], thirds, rtol=1e-4)
    assert found.both_ways.shape == found.one_way.shape == (2, 3)
    others = moved_by_others(model, trace)
    assert np.isnan(np.diag(others)).all()
    with torch.no_grad():
        after = model.network.encode(torch.tensor([ids[1:]])).annotations[0].numpy()
    np.testing.assert_allclose(others[0, 1:], moved(trace.annotations[1:], after), rtol=1e-4)
