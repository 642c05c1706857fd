from collections.abc import Callable

import numpy as np
import pytest
import torch

from regard.model.checkpoint import Pretrained
from regard.model.decoding.sampling import Sample, sample
from regard.model.decoding.token_sampling import SamplingSettings, draw, seen
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.tokenizer import PAD, START, STOP
from regard.model.translate import force_ids, translate
from tests.support.every_kind import ATTENTIONS, named
from tests.support.small_transformer import small_transformer

SENTENCES = ("I love you.", "The boy who is wearing a blue shirt is playing.", "")
FREE = SamplingSettings(temperature=1.3, samples=3, seed=3)
CAREFUL = SamplingSettings(temperature=0.7, top_k=5, top_p=0.9, samples=2, seed=1)


@pytest.mark.parametrize("kind", [*ATTENTIONS, None], ids=str)
def test_top_k_1_is_greedy_decoding(make_model: Callable[..., Pretrained], kind: dict[str, str] | None) -> None:
    model = small_transformer() if kind is None else make_model(**kind)
    greedy = translate(model, [SENTENCES[0]])[0]
    for drawn in sample(model, SENTENCES[0], SamplingSettings(temperature=2.0, top_k=1, samples=2)):
        assert drawn.ids == tuple(greedy.target_ids.tolist())
        assert drawn.trace.stop == greedy.stop
        assert all((each.chance, each.left) == (1, 1) for each in drawn.draws)


def test_a_sample_is_that_of_its_seed_and_the_documented_random_numbers_however_many_there_are(
    restless: Pretrained,
) -> None:
    few, many = (sample(restless, SENTENCES[0], SamplingSettings(samples=count, seed=4)) for count in (2, 7))
    assert [each.ids for each in few] == [each.ids for each in many[:2]]
    for drawn in (few, many):
        for place, each in enumerate(drawn):
            chance = np.random.default_rng(np.random.SeedSequence(4, spawn_key=(place,)))
            assert [step.number for step in each.draws] == chance.random(len(each.draws)).tolist()


@pytest.fixture(scope="module", params=[*ATTENTIONS, {"cell": "gru", "input_feeding": True}], ids=named)
def samples(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> tuple[Pretrained, list[Sample]]:
    """Return free and careful samples of a tiny model of each kind with strong preferences."""
    model = make_model(**request.param)
    with torch.no_grad():
        model.network.embedding.weight.mul_(6)
    return model, [each for settings in (FREE, CAREFUL) for each in sample(model, SENTENCES[0], settings)]


def test_a_transformer_is_sampled_with_its_cache_as_forced_decoding_would_find() -> None:
    model = small_transformer()
    source = model.tokenizer.encode(SENTENCES[0], "en")
    drawn = sample(model, SENTENCES[0], FREE)
    assert len({each.ids for each in drawn}) == FREE.samples
    for one, other in zip(drawn, force_ids(model, [source] * 3, [each.ids for each in drawn]), strict=True):
        assert one.trace.target == other.target
        assert np.allclose(one.trace.logits, other.logits, atol=1e-4)
        for name in ("weights", "queries", "keys", "values", "mixed"):
            found = (getattr(trace.decoder_attention, name) for trace in (one.trace, other))
            assert np.allclose(*found, atol=1e-4), name
        for row, each in zip(other.log_probabilities, one.draws, strict=True):
            assert each.probability == pytest.approx(np.exp(row), abs=1e-5)


def test_the_reference_redoes_every_draw_in_numpy_alone(make_model: Callable[..., Pretrained]) -> None:
    model = make_model(score="concat", wiring="bahdanau")
    weights = load_parameters(model.folder)
    for settings in (FREE, CAREFUL):
        for drawn in sample(model, SENTENCES[0], settings):
            found = recompute(weights, drawn.trace.source_ids, drawn.ids)
            for row, each in zip(found.logits, drawn.draws, strict=True):
                again = draw(row, settings, each.number)
                assert (again.token, again.place) == (each.token, each.place)
                assert (again.chance, again.probability) == pytest.approx((each.chance, each.probability), abs=1e-5)


def test_padding_and_the_beginning_are_never_drawn(make_model: Callable[..., Pretrained]) -> None:
    model = make_model()
    likely = torch.tensor(translate(model, ["I love you."])[0].attentional[0]) * 100
    model.network.embedding.weight[[PAD, START]] = likely
    for each in sample(model, "I love you.", FREE):
        assert {PAD, START} <= set(each.trace.top_ids[0].tolist())
        assert min(each.ids) >= STOP
        shown = seen(each.trace, 0, each.draws[0], FREE.temperature)
        assert min(shown.ids) >= STOP
        assert shown.own.sum() == pytest.approx(1)


def test_what_a_draw_saw_adds_up_at_every_stage(samples: tuple[Pretrained, list[Sample]]) -> None:
    places = set()
    for index, drawn in enumerate(samples[1]):
        settings = (FREE, CAREFUL)[index >= FREE.samples]
        for step, each in enumerate(drawn.draws):
            shown = seen(drawn.trace, step, each, settings.temperature)
            assert shown.ids[shown.drawn] == each.token
            assert shown.tokens[shown.drawn] == drawn.trace.target[step]
            assert [shown.own.sum(), shown.heated.sum(), shown.chance.sum()] == pytest.approx([1, 1, 1], abs=1e-5)
            assert shown.left.sum() == pytest.approx(each.mass, abs=1e-5)
            assert shown.chance[shown.drawn] == pytest.approx(each.chance, abs=1e-5)
            assert (shown.left[-1] > 0) == (each.left > (shown.left[:-1] > 0).sum())
            places.add(min(each.place, 10))
    assert {0, 10} <= places  # a token that is not listed was drawn too
