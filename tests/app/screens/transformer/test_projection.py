"""The examples of the Transformer screen are made of the model's own vectors, and say so."""

import numpy as np
import pytest

from app.screens.transformer.ideas import IDEAS, between
from app.screens.transformer.projection import (
    PAD,
    SEEDS,
    Projected,
    asked_by_decoder,
    asking_itself,
    masked,
    of_trace,
    seed_of,
)
from app.screens.transformer.text import PARTS
from app.visitor.question import EXAMPLE
from model.checkpoint import Pretrained
from model.examples.multi_head import HEADS
from model.examples.program import script
from model.examples.random_numbers import projected
from model.examples.self_attention import SELF_ATTENTION
from model.translate import translate


@pytest.fixture(scope="module")
def found(shipped: Pretrained) -> Projected:
    return of_trace(translate(shipped, [EXAMPLE])[0])


def test_what_is_downloaded_says_whose_vectors_it_has(found: Projected) -> None:
    for example in (asking_itself(HEADS, found), masked(found, "none"), asked_by_decoder(found)):
        text = script(example, example.matrices())
        assert "tutorial" not in text
        told = " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))
        assert f"that the model {found.model}" in told
        assert f"the matrices W are drawn by chance with seed {seed_of(example)}" in told
        assert " ".join(f"“{word}”" for word in found.words) in told


def test_the_vectors_are_the_models_own_made_short_by_the_seeds_that_are_told(
    found: Projected, shipped: Pretrained
) -> None:
    trace = translate(shipped, [EXAMPLE])[0]
    ids = shipped.tokenizer.encode(EXAMPLE, "en").ids
    embeddings = shipped.network.encoder.embedding.weight.detach().numpy()[[*ids, 0]]
    expected = projected(embeddings, SEEDS["embeddings"])
    assert np.array_equal(np.vstack([found.X, found.pad]), expected)
    assert np.array_equal(found.H, projected(trace.annotations[:-1], SEEDS["annotations"]))
    assert np.array_equal(found.states, projected(trace.states[:-1], SEEDS["states"]))
    assert (len(found.words), len(found.made)) == (len(ids), len(trace.target) - 1)


def test_padding_is_the_models_own_token(found: Projected, shipped: Pretrained) -> None:
    assert shipped.tokenizer.token(0) == PAD
    last = masked(found, "none").matrices()["X"][-1]
    assert np.array_equal(last, found.pad[0])


def test_a_row_that_a_reader_added_is_called_by_its_number(found: Projected) -> None:
    example = asking_itself(SELF_ATTENTION, found)
    grown = example.run(example.random({"S": len(found.words) + 1, "D": 4, "K": 4, "V": 4}, 1))
    assert between(example, "weights", grown).rows == (*found.words, str(len(found.words) + 1))


def test_every_part_says_of_three_moves_what_becomes_of_them() -> None:
    assert set(PARTS) == {*IDEAS, "summary"}
    for part in PARTS.values():
        assert all(move.what and move.text for move in (part.compare, part.weigh, part.sum))
