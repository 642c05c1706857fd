from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from regard.model.checkpoint import Pretrained
from regard.model.translate import force
from regard.model.word_alignment.alignment_error_rate import NO_LINKS, GoldPair, agreement
from regard.model.word_alignment.detokenize import between, join, links
from regard.model.word_alignment.from_attention import Aligned, RowReading, aligned, of_pair, of_reading
from regard.model.word_alignment.posterior import READINGS, by_words, posterior

LINES = ("I do n't love the car .", "Je n' aime pas l' auto .")
PAIR = GoldPair("0", *LINES, frozenset({(0, 0)}), frozenset({(0, 0)}))


@pytest.mark.parametrize("reading", READINGS)
def test_each_reading_has_rows_that_sum_to_one(reading: str, tiny_model: Pretrained) -> None:
    source, target = join(LINES[0], "en"), join(LINES[1], "fr")
    trace = force(tiny_model, [(source.text, target.text)])[0]
    found = READINGS[reading](tiny_model, trace, source, target)
    assert found.shape == (len(target.words), len(source.words) + 1)
    np.testing.assert_allclose(found.sum(1), 1, rtol=1e-5)


def test_the_weights_are_read_as_before_and_the_posterior_in_their_place(tiny_model: Pretrained) -> None:
    source, target = join(LINES[0], "en"), join(LINES[1], "fr")
    trace = force(tiny_model, [(source.text, target.text)])[0]
    plain, after, _ = (read(tiny_model, trace, source, target) for read in READINGS.values())
    np.testing.assert_array_equal(plain, between(trace.alignment, source, target))
    known = replace(trace.alignment, weights=posterior(tiny_model, trace).posterior)
    np.testing.assert_array_equal(after, between(known, source, target))


def test_between_words_that_are_the_models_own_jumps_find_the_same(tiny_model: Pretrained) -> None:
    trace = force(tiny_model, [("The red car", "Le chat noir")])[0]
    source, target = (
        join(" ".join(side.words[:-1]), "plain") for side in (trace.alignment.source, trace.alignment.target)
    )
    found = READINGS["posterior-hmm"](tiny_model, trace, source, target)
    np.testing.assert_allclose(found, by_words(trace.alignment, posterior(tiny_model, trace)).weights[:-1])


@pytest.mark.parametrize("reading", READINGS)
def test_a_pair_without_words_has_no_links(reading: str, tiny_model: Pretrained) -> None:
    for lines in (("", ""), ("The cat", ""), ("", "Le chat"), ("\u200b x", "\u200b y")):
        source, target = join(lines[0], "en"), join(lines[1], "fr")
        trace = force(tiny_model, [(source.text, target.text)])[0]
        found = READINGS[reading](tiny_model, trace, source, target)
        assert found.shape == (len(target.words), len(source.words) + 1)
        assert np.isfinite(found).all()
        assert all(target.spans[row].start < target.spans[row].stop for _, row in links(found))


def test_a_reading_is_compared_with_the_links_of_people(tiny_model: Pretrained) -> None:
    source, target = join(LINES[0], "en"), join(LINES[1], "fr")
    trace = force(tiny_model, [(source.text, target.text)])[0]
    plain = of_reading(PAIR, tiny_model, trace, "weights")
    assert plain.agreement == of_pair(PAIR, trace.alignment, ("en", "fr"), "output").agreement
    jumps = of_reading(PAIR, tiny_model, trace, "posterior-hmm")
    assert jumps.proposed == frozenset(links(READINGS["posterior-hmm"](tiny_model, trace, source, target)))
    with pytest.raises(ValueError, match="reading is 'truth'; it must be one of weights, posterior, posterior-hmm"):
        of_reading(PAIR, tiny_model, trace, "truth")


def test_every_reading_is_scored_against_the_gold_links(make_model: Callable[..., Pretrained]) -> None:
    model = make_model(score="concat", wiring="bahdanau")
    gold = [PAIR, GoldPair("1", "The cat sat", "Le chat", frozenset({(1, 1)}), frozenset({(0, 0), (1, 1)}))]
    found = sum(aligned(model, gold), Aligned())
    traces = force(model, [(join(pair.source, "en").text, join(pair.target, "fr").text) for pair in gold])
    for reading, name in (("posterior", "posterior"), ("posterior-hmm", "posterior_hmm")):
        each = (of_reading(pair, model, trace, reading).agreement for pair, trace in zip(gold, traces, strict=True))
        expected = sum(each, NO_LINKS)
        assert getattr(found, name).agreement == expected != agreement([], [], [])
        assert found.scores()[name]["aer"] == pytest.approx(expected.error_rate, abs=1e-4)
        assert {"precision", "recall", "mass_on_sure", "mass_on_possible"} < set(found.scores()[name])
    weights_alone = sum(aligned(model, gold, posteriors=False), Aligned())
    assert weights_alone == replace(found, posterior=RowReading(), posterior_hmm=RowReading())
