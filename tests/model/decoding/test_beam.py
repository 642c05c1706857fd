from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.checkpoint import AnyModel, Pretrained
from regard.model.decoding import beam
from regard.model.decoding.beam import expand, finish, grow
from regard.model.decoding.beam_tree import ROOT, BeamSettings, coverage_penalty
from regard.model.reference.recompute import Recomputation, recompute
from regard.model.tokenizer import STOP
from regard.model.translate import force_ids, translate, write
from regard.model.words import normalise
from tests.support.beam_searches import choices, models, texts
from tests.support.every_kind import ATTENTIONS, KINDS, named
from tests.support.letter_models import make_speller, weights_of
from tests.support.small_transformer import small_transformer

SENTENCES = ("I love you.", "The cat sat on the mat.", "Do you see the old house?", "", "a", "zz é 😀")
WORDS = ("abc", "", "ccb", "baabca")


def assert_greedy(model: AnyModel, sentences: tuple[str, ...]) -> set[str]:
    """Width 1 writes what greedy decoding writes; why it stopped."""
    greedy = translate(model, sentences)
    for one, other in zip(greedy, beam.translate(model, sentences, BeamSettings(width=1)), strict=True):
        assert one.target_ids.tolist() == other.target_ids.tolist()
        assert one.stop == other.stop
        assert abs(one.weights - other.weights).max() < 1e-5
    return {trace.stop for trace in greedy}


def test_a_beam_of_width_1_is_greedy_decoding(restless: Pretrained, shipped: Pretrained) -> None:
    assert assert_greedy(restless, SENTENCES) == {"end", "limit"}
    assert assert_greedy(shipped, SENTENCES) == {"end"}


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_a_beam_of_width_1_is_greedy_decoding_in_every_kind_of_model(kind: dict[str, Any]) -> None:
    assert_greedy(make_speller(9, strength=0.6, **kind), WORDS)


def test_a_transformer_is_searched_with_its_cache_as_forced_decoding_would_find() -> None:
    """The cache of a hypothesis is that of its own prefix, whatever became of the others."""
    model, source = small_transformer(), small_transformer().tokenizer.encode(SENTENCES[0], "en")
    assert_greedy(model, SENTENCES[:2])
    tree = grow(model, SENTENCES[0], BeamSettings(width=4, coverage=0.3))
    hypotheses = beam.search(model, source, tree.settings)
    assert [hypothesis.ids for hypothesis in hypotheses] == [tree.ids(node) for node in tree.hypotheses]
    for hypothesis, trace in zip(
        hypotheses, force_ids(model, [source] * 4, [each.ids for each in hypotheses]), strict=False
    ):
        assert hypothesis.log_probability == pytest.approx(trace.log_probability, abs=1e-4)
        covering = coverage_penalty(trace.cross_attention.mean(-1).sum(0), trace.reach[0])
        score = tree.settings.score(trace.log_probability, len(hypothesis.ids), covering)
        assert hypothesis.score == pytest.approx(float(score), abs=1e-4)
    node = next(place for place, one in enumerate(tree.nodes) if one.fate == "pruned" and one.step > 3)
    tree = finish(model, tree, node)
    (trace,) = force_ids(model, [source], [tree.ids(tree.onwards(node))])
    assert tree.nodes[tree.onwards(node)].total == pytest.approx(trace.log_probability, abs=1e-4)


def scored(found: Recomputation, settings: BeamSettings) -> tuple[float, float]:
    """Log-probability and score of a translation, from NumPy's own forward pass."""
    chosen = found.logits[np.arange(len(found.target_ids)), found.target_ids]
    total = float((chosen - found.log_normaliser).sum())
    covering = coverage_penalty(found.weights.sum(0), found.mask[0])
    return total, float(settings.score(total, len(found.target_ids), covering))


@pytest.mark.parametrize("kind", ATTENTIONS, ids=named)
def test_a_wide_enough_beam_finds_every_translation_in_the_order_of_its_score(
    monkeypatch: pytest.MonkeyPatch, kind: dict[str, Any]
) -> None:
    monkeypatch.setattr(beam, "limit", lambda _: 5)
    model = make_speller(2, **kind)
    source, weights = model.tokenizer.encode("abb", "plain"), weights_of(model)
    everything: list[tuple[int, ...]] = [
        (*letters, STOP) for length in range(5) for letters in product((3, 4), repeat=length)
    ]
    numbers = {ids: recompute(weights, (*source.ids, STOP), ids) for ids in everything}
    for chosen in (BeamSettings(63, 0.0), BeamSettings(63), BeamSettings(63, 1.5, 2.0)):
        scores = {ids: scored(found, chosen) for ids, found in numbers.items()}
        found = beam.search(model, source, chosen)
        assert [hypothesis.ids for hypothesis in found] == sorted(everything, key=lambda ids: -scores[ids][1])
        for hypothesis in found:
            assert (hypothesis.log_probability, hypothesis.score) == pytest.approx(scores[hypothesis.ids], abs=1e-4)


def test_a_trace_of_the_best_hypothesis_says_why_the_search_stopped(restless: Pretrained) -> None:
    for sentence, trace in zip(SENTENCES, beam.translate(restless, SENTENCES, BeamSettings(3)), strict=True):
        best = beam.search(restless, restless.tokenizer.encode(sentence, "en"), BeamSettings(3))[0]
        assert tuple(trace.target_ids.tolist()) == best.ids
        assert trace.stop == best.stop
        assert (trace.target[-1] == "</s>") == (best.stop == "end")


def test_written_translations_are_those_of_the_traces_on_one_line(restless: Pretrained) -> None:
    greedy, three = (list(beam.write(restless, SENTENCES, BeamSettings(width))) for width in (1, 3))
    assert greedy == [normalise(text) for text in write(restless, SENTENCES)]
    for text, trace in zip(three, beam.translate(restless, SENTENCES, BeamSettings(3)), strict=True):
        assert text == normalise(trace.alignment.target.text)
        assert len(text.splitlines()) <= 1


@settings(max_examples=10)
@given(models, texts, choices, st.data())
def test_expanding_and_finishing_gives_what_forced_decoding_finds(
    model: Pretrained, text: str, chosen: BeamSettings, data: st.DataObject
) -> None:
    tree = grow(model, text, chosen)
    fates = ("pruned", "greedy")
    unfinished = [place for place, node in enumerate(tree.nodes) if not tree.done(place) and node.fate in fates]
    place = data.draw(st.sampled_from(unfinished or [ROOT]))
    tree = expand(model, tree, place)
    child = data.draw(st.sampled_from(tree.children(place)))
    if not tree.done(child):
        tree = finish(model, tree, child)
    end = tree.onwards(child)
    assert tree.nodes[end].ends or tree.nodes[end].step == tree.limit
    trace = force_ids(model, [model.tokenizer.encode(text, "plain")], [tree.ids(end)])[0]
    path = [tree.nodes[place] for place in tree.path(end)]
    assert [node.log_probability for node in path] == pytest.approx(trace.log_probabilities.tolist(), abs=1e-5)
    assert tree.nodes[end].total == pytest.approx(trace.log_probability, abs=1e-5)
    for place in (*tree.path(end), *tree.greedy):
        node, covering = tree.nodes[place], coverage_penalty(tree.covered(place), tree.reach)
        assert node.score == pytest.approx(float(chosen.score(node.total, node.step, covering)), abs=1e-9)
    assert tree.weights[[node.row for node in path]] == pytest.approx(trace.weights, abs=1e-5)
    likeliest = [next(index for index in row if index >= STOP) for row in trace.top_ids.tolist()]
    greedily = tree.nodes[child].step
    assert trace.target_ids.tolist()[greedily:] == likeliest[greedily:]
