"""Beam search against greedy decoding, rescoring and trying everything."""

from collections.abc import Callable
from math import isclose

import pytest
import torch

from model import beam
from model.checkpoint import Pretrained
from model.tokenizer import STOP
from model.translate import force_ids, translate, write
from model.words import normalise

SENTENCES = (
    "I love you.",
    "I don't love the red car.",
    "The cat sat on the mat.",
    "The boy who is wearing a blue shirt is playing.",
    "Do you see the old house?",
    "She has read a book today.",
    "",
    "a",
    "zz é 😀",
)


@pytest.fixture(scope="module")
def restless(make_model: Callable[..., Pretrained]) -> Pretrained:
    """A random model whose preferences are strong, so that some of its translations end."""
    model = make_model()
    with torch.no_grad():
        for parameter in model.network.parameters():
            parameter.mul_(5)
    return model


def test_a_beam_of_width_1_is_greedy_decoding(restless: Pretrained) -> None:
    greedy = translate(restless, SENTENCES)
    beams = beam.translate(restless, SENTENCES, 1)
    assert {trace.stop for trace in greedy} == {"end", "limit"}
    for one, other in zip(greedy, beams, strict=True):
        assert one.target_ids.tolist() == other.target_ids.tolist()
        assert one.stop == other.stop
        assert abs(one.weights - other.weights).max() < 1e-5


@pytest.mark.parametrize("width", [1, 2, 5])
def test_the_search_finds_the_log_probability_that_forcing_its_translation_gives(
    restless: Pretrained, width: int
) -> None:
    for sentence in SENTENCES:
        source = restless.tokenizer.encode(sentence, "en")
        hypotheses = beam.search(restless, source, width)
        traces = force_ids(restless, [source] * len(hypotheses), [hypothesis.ids for hypothesis in hypotheses])
        for hypothesis, trace in zip(hypotheses, traces, strict=True):
            assert isclose(hypothesis.log_probability, trace.log_probability, rel_tol=1e-5, abs_tol=1e-5)


def test_a_wide_enough_beam_finds_the_best_of_all_translations(
    restless: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beam, "limit", lambda source_tokens: 2)
    monkeypatch.setattr(beam, "WIDEST", 10**6)
    source = restless.tokenizer.encode("I love you.", "en")
    found = beam.search(restless, source, 10**6)
    everything = [(STOP,), *((token, STOP) for token in range(STOP + 1, restless.config.vocabulary))]
    traces = force_ids(restless, [source] * len(everything), everything)
    scores = {
        tuple(trace.target_ids.tolist()): trace.log_probability / beam.length_penalty(len(trace.target))
        for trace in traces
    }
    assert {hypothesis.ids for hypothesis in found} == set(everything)
    assert [hypothesis.ids for hypothesis in found][:20] == sorted(scores, key=lambda ids: -scores[ids])[:20]
    assert all(isclose(hypothesis.score, scores[hypothesis.ids], rel_tol=1e-5) for hypothesis in found)


def test_length_normalisation_is_that_of_wu_and_others() -> None:
    assert beam.length_penalty(1) == 1
    assert isclose(beam.length_penalty(7), 2**0.6)
    assert beam.Hypothesis((5, 6, 7, 8, 9, 10, STOP), -3.0, "end").score == -3.0 / 2**0.6


def test_hypotheses_come_best_first_and_say_why_they_stopped(restless: Pretrained) -> None:
    stops = set()
    for sentence in SENTENCES:
        hypotheses = beam.search(restless, restless.tokenizer.encode(sentence, "en"), 4)
        scores = [hypothesis.score for hypothesis in hypotheses]
        assert scores == sorted(scores, reverse=True)
        assert len({hypothesis.ids for hypothesis in hypotheses}) == len(hypotheses) <= 4
        for hypothesis in hypotheses:
            assert (hypothesis.ids[-1] == STOP) == (hypothesis.stop == "end")
            assert min(hypothesis.ids) >= STOP
            stops.add(hypothesis.stop)
    assert stops == {"end", "limit"}


def test_a_search_is_over_when_as_many_translations_have_ended_as_the_beam_is_wide(
    restless: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    logits = restless.network.logits

    def eager(attentional: torch.Tensor) -> torch.Tensor:
        """`</s>` is always the likeliest token."""
        found = logits(attentional)
        found[:, STOP] = found.amax(1) + 1
        return found

    monkeypatch.setattr(restless.network, "logits", eager)
    for width in (1, 2, 5):
        hypotheses = beam.search(restless, restless.tokenizer.encode("I love you.", "en"), width)
        assert len(hypotheses) == width
        assert all(hypothesis.stop == "end" for hypothesis in hypotheses)


def test_a_trace_of_the_best_hypothesis_says_why_the_search_stopped(restless: Pretrained) -> None:
    for sentence, trace in zip(SENTENCES, beam.translate(restless, SENTENCES, 3), strict=True):
        best = beam.search(restless, restless.tokenizer.encode(sentence, "en"), 3)[0]
        assert tuple(trace.target_ids.tolist()) == best.ids
        assert trace.stop == best.stop
        assert (trace.target[-1] == "</s>") == (best.stop == "end")


def test_written_translations_are_those_of_the_traces_on_one_line(restless: Pretrained) -> None:
    assert list(beam.write(restless, SENTENCES, 1)) == [normalise(text) for text in write(restless, SENTENCES)]
    for text, trace in zip(beam.write(restless, SENTENCES, 3), beam.translate(restless, SENTENCES, 3), strict=True):
        assert text == normalise(trace.text)
        assert len(text.splitlines()) <= 1


@pytest.mark.parametrize("width", [0, -1, beam.WIDEST + 1])
def test_an_impossible_width_is_refused(restless: Pretrained, width: int) -> None:
    with pytest.raises(ValueError, match=f"{width}; it must be from 1 to {beam.WIDEST}"):
        beam.search(restless, restless.tokenizer.encode("a", "en"), width)
