from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.checkpoint import Pretrained
from regard.model.decoding.beam_expand import expand, finish, grow
from regard.model.decoding.beam_score import BeamSettings, coverage_penalty
from regard.model.decoding.beam_tree import ROOT, BeamTree
from regard.model.reference.recompute import recompute
from regard.model.tokenizer import STOP
from regard.model.translate import force_ids, translate
from tests.support.beam_searches import arrays, choices, models, texts
from tests.support.letter_models import make_speller, weights_of


def draw_open(tree: BeamTree, data: st.DataObject, *fates: str) -> int:
    """A node that can go on."""
    open_ = [place for place, node in enumerate(tree.nodes) if not tree.done(place) and node.fate in fates]
    return data.draw(st.sampled_from(open_ or [ROOT]))


def same(one: BeamTree, other: BeamTree) -> bool:
    found = [(getattr(one, field.name), getattr(other, field.name)) for field in fields(one)]
    return all(np.array_equal(*pair) if isinstance(pair[0], np.ndarray) else pair[0] == pair[1] for pair in found)


@settings(max_examples=10)
@given(models, texts, choices, st.data())
def test_expanding_adds_the_likeliest_continuations_and_nothing_else(
    model: Pretrained, text: str, chosen: BeamSettings, data: st.DataObject
) -> None:
    before = grow(model, text, chosen)
    place = draw_open(before, data, "kept", "pruned", "greedy")
    after = expand(model, before, place)
    assert same(before, grow(model, text, chosen))
    assert after.nodes[: len(before.nodes)] == before.nodes
    assert all(np.array_equal(arrays(after)[name][: len(array)], array) for name, array in arrays(before).items())
    assert (after.hypotheses, after.greedy, after.rounds) == (before.hypotheses, before.greedy, before.rounds)
    added = after.nodes[len(before.nodes) :]
    assert {(node.fate, node.parent, node.rank) for node in added} <= {("by hand", place, 0)}
    again = recompute(weights_of(model), before.source_ids, (*before.ids(place), STOP))
    likeliest = (-again.logits[-1, STOP:]).argsort()[: chosen.width] + STOP
    assert {after.nodes[child].token_id for child in after.children(place)} >= set(likeliest.tolist())
    assert len(after.expanded) == len(before.expanded) + (place not in before.expanded)
    assert after.weights[after.row_after[place]] == pytest.approx(again.weights[-1], abs=1e-5)
    assert same(expand(model, after, place), after)


@settings(max_examples=10)
@given(models, texts, choices, st.data())
def test_expanding_and_finishing_gives_what_forced_decoding_finds(
    model: Pretrained, text: str, chosen: BeamSettings, data: st.DataObject
) -> None:
    tree = grow(model, text, chosen)
    place = draw_open(tree, data, "pruned", "greedy")
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


def test_finishing_is_pure_and_adds_one_node_for_each_row(tiny_model: Pretrained) -> None:
    before = grow(tiny_model, "I love you.", BeamSettings(3))
    place = next(place for place, node in enumerate(before.nodes) if node.fate == "pruned" and not before.done(place))
    after = finish(tiny_model, before, place)
    assert same(before, grow(tiny_model, "I love you.", BeamSettings(3)))
    added = after.nodes[len(before.nodes) :]
    assert {node.fate for node in added} == {"by hand"}
    steps = after.nodes[after.onwards(place)].step - after.nodes[place].step
    assert len(added) == len(after.expanded) - len(before.expanded) == steps
    assert same(finish(tiny_model, after, place), after)


def test_finishing_from_the_beginning_is_greedy_decoding(tiny_model: Pretrained) -> None:
    tree = finish(tiny_model, grow(tiny_model, "I love you.", BeamSettings(5)), ROOT)
    assert tree.ids(tree.onwards(ROOT)) == tuple(translate(tiny_model, ["I love you."])[0].target_ids.tolist())
    assert "by hand" not in {node.fate for node in tree.nodes}


def test_a_translation_that_was_cut_can_be_expanded_but_not_finished() -> None:
    model = make_speller(9)
    model.network.embedding.weight[STOP] = 0
    tree = grow(model, "", BeamSettings(2))
    place = tree.hypotheses[0]
    assert tree.nodes[place].fate == "cut"
    assert {node.step for node in expand(model, tree, place).nodes if node.fate == "by hand"} == {tree.limit + 1}
    with pytest.raises(ValueError, match=f"node {place} has reached the limit of {tree.limit} tokens"):
        finish(model, tree, place)


def test_a_node_that_cannot_go_on_is_refused_with_the_reason(tiny_model: Pretrained) -> None:
    speller = make_speller(12)
    tree = grow(speller, "abc", BeamSettings(5))
    ended = next(place for place, node in enumerate(tree.nodes) if node.ends)
    for grown in (expand, finish):
        with pytest.raises(ValueError, match=f"node {ended} is </s>, after which nothing comes"):
            grown(speller, tree, ended)
        with pytest.raises(ValueError, match=f"there is no node -1; the tree has 0 to {len(tree.nodes) - 1}"):
            grown(speller, tree, -1)
        with pytest.raises(ValueError, match=f"there is no node {len(tree.nodes)}; "):
            grown(speller, tree, len(tree.nodes))
        with pytest.raises(ValueError, match=f"grown by another model, speller, not by {tiny_model.name}"):
            grown(tiny_model, tree, ROOT)
