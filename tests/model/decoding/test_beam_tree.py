from collections import Counter
from itertools import groupby
from math import exp, log

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.checkpoint import Pretrained
from regard.model.decoding.beam import DRAWN, grow, search
from regard.model.decoding.beam_tree import (
    FATES,
    ROOT,
    STRONGEST,
    WIDEST,
    BeamSettings,
    coverage_penalty,
    length_penalty,
)
from regard.model.reference.recompute import recompute
from regard.model.tokenizer import START, STOP
from regard.model.tracing import LIKELIEST
from regard.model.translate import limit, translate
from tests.support.beam_searches import choices, models, texts
from tests.support.letter_models import make_speller, weights_of

SEARCHES = ("kept", "pruned", "ended", "cut")  # the fates of those that competed


@settings(max_examples=12)
@given(models, texts, choices)
def test_every_node_goes_on_from_one_before_it(model: Pretrained, text: str, chosen: BeamSettings) -> None:
    tree = grow(model, text, chosen)
    assert (tree.nodes[ROOT].parent, tree.nodes[ROOT].token_id, tree.nodes[ROOT].row) == (-1, START, -1)
    for index, node in enumerate(tree.nodes[1:], start=1):
        parent = tree.nodes[node.parent]
        assert node.parent < index
        assert node.step == parent.step + 1 == len(tree.path(index))
        assert node.total == pytest.approx(parent.total + node.log_probability, abs=1e-12)
        assert tree.expanded[node.row] == node.parent
        assert node.token == model.tokenizer.token(node.token_id)
        assert node.fate in FATES
        assert not parent.ends
        assert index in tree.children(node.parent)
    assert all(count == 1 for count in Counter(map(tree.ids, range(len(tree.nodes)))).values())


@settings(max_examples=12)
@given(models, texts, choices)
def test_the_places_of_a_step_go_to_its_likeliest_candidates(
    model: Pretrained, text: str, chosen: BeamSettings
) -> None:
    tree = grow(model, text, chosen)
    steps = groupby((node for node in tree.nodes[1:] if node.fate in SEARCHES), key=lambda node: node.step)
    places = chosen.width
    for (step, group), competed in zip(steps, tree.rounds, strict=True):
        nodes = list(group)
        totals = [node.total for node in nodes]
        through = [node for node in nodes if node.fate != "pruned"]
        assert [node.rank for node in nodes] == list(range(1, len(nodes) + 1))
        assert totals == sorted(totals, reverse=True)
        assert nodes[: len(through)] == through
        assert (competed.places, competed.candidates, competed.bar) == (places, len(nodes), through[-1].total)
        assert len(through) == min(places, len(nodes))
        assert max(Counter(node.parent for node in nodes).values()) <= places
        assert all((node.fate == "ended") == node.ends for node in through)
        assert all((node.fate == "cut") == (step == tree.limit) for node in through if not node.ends)
        places -= sum(node.ends for node in through)
    assert places == 0 or len(tree.rounds) == tree.limit == limit(len(text) + 1)
    expanded = {place for place, node in enumerate(tree.nodes) if node.fate == "kept"}
    assert expanded == {place for place in tree.expanded if tree.nodes[place].fate != "greedy" or place == ROOT} - {
        place for place in tree.greedy if tree.nodes[place].fate == "pruned"
    }


@settings(max_examples=12)
@given(models, texts, choices)
def test_its_translations_are_those_that_the_search_finds(model: Pretrained, text: str, chosen: BeamSettings) -> None:
    tree = grow(model, text, chosen)
    found = search(model, model.tokenizer.encode(text, "plain"), chosen)
    assert [tree.ids(place) for place in tree.hypotheses] == [hypothesis.ids for hypothesis in found]
    for place, hypothesis in zip(tree.hypotheses, found, strict=True):
        node = tree.nodes[place]
        assert (node.total, node.score) == (hypothesis.log_probability, hypothesis.score)
        assert node.fate == {"end": "ended", "limit": "cut"}[hypothesis.stop]


@settings(max_examples=8)
@given(models, texts, choices, st.data())
def test_the_numbers_of_a_node_are_those_of_its_prefix_alone(
    model: Pretrained, text: str, chosen: BeamSettings, data: st.DataObject
) -> None:
    tree = grow(model, text, chosen)
    place = data.draw(st.integers(1, len(tree.nodes) - 1))
    node, ids = tree.nodes[place], tree.ids(place)
    again = recompute(weights_of(model), tree.source_ids, ids)
    logs = again.logits - again.log_normaliser[:, None]
    total = logs[np.arange(len(ids)), ids].sum()
    assert node.log_probability == pytest.approx(logs[-1, ids[-1]], abs=1e-5)
    assert node.total == pytest.approx(total, abs=1e-5 * len(ids))
    assert tree.covered(place) == pytest.approx(again.weights.sum(0), abs=1e-5 * len(ids))
    covering = coverage_penalty(tree.covered(place), tree.reach)
    assert node.score == pytest.approx(
        node.total / length_penalty(len(ids), chosen.alpha) + chosen.coverage * float(covering), abs=1e-9
    )
    assert tree.reach.tolist() == again.mask[0].tolist()
    assert tree.weights[node.row] == pytest.approx(again.weights[-1], abs=1e-5)
    likeliest = np.sort(logs[-1, STOP:])[::-1][:LIKELIEST]
    assert tree.top_log_probabilities[node.row] == pytest.approx(likeliest, abs=1e-5)


@settings(max_examples=12)
@given(models, texts, choices)
def test_the_greedy_path_is_that_of_greedy_decoding(model: Pretrained, text: str, chosen: BeamSettings) -> None:
    tree = grow(model, text, chosen)
    assert tree.ids(tree.greedy[-1]) == tuple(translate(model, [text])[0].target_ids.tolist())
    assert tree.greedy == tree.path(tree.greedy[-1])
    fates = [tree.nodes[place].fate for place in tree.greedy]
    dropped = fates.index("pruned") if "pruned" in fates else len(fates)
    assert all(fate == "kept" for fate in fates[: min(dropped, len(fates) - 1)])
    assert all(fate == "greedy" for fate in fates[dropped + 1 :])
    assert sum(node.fate == "greedy" for node in tree.nodes) == len(fates[dropped + 1 :])


@settings(max_examples=12)
@given(models, texts, choices)
def test_parting_is_where_greedy_decoding_and_the_best_translation_differ(
    model: Pretrained, text: str, chosen: BeamSettings
) -> None:
    tree = grow(model, text, chosen)
    greedy, best = tree.ids(tree.greedy[-1]), tree.ids(tree.hypotheses[0])
    if tree.parting is None:
        assert greedy == best
        return
    one, other = map(tree.ids, tree.parting)
    assert (one, other) == (greedy[: len(one)], best[: len(one)])
    assert one[:-1] == other[:-1]
    assert one != other
    assert tree.nodes[tree.parting[0]].total >= tree.nodes[tree.parting[1]].total


def test_a_search_in_two_letters_is_that_on_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probabilities of </s>, a and b for each prefix, in the order in which the decoder asks for them."""
    asked = [
        [(0.01, 0.5, 0.49)],  # the beginning: greedy decoding takes a
        [(0.335, 0.34, 0.325), (0.5, 0.4, 0.1)],  # after a, at most 0.5 x 0.34 = 0.17; after b, 0.245 and 0.196
        [(0.9, 0.05, 0.05)],  # after ba, which took the last place
        [(0.01, 0.5, 0.49)],
        [(0.335, 0.34, 0.325)],  # once more, before the two letters of aa
        [(0.8, 0.1, 0.1)],  # after aa, which greedy decoding follows alone
    ]
    model, steps = make_speller(2), iter(asked)
    monkeypatch.setattr(model.network, "logits", lambda _: torch.log(torch.tensor([(0, 0, *p) for p in next(steps)])))
    tree = grow(model, "ab", BeamSettings(2, 0.0))
    told = [(tree.ids(place), round(exp(node.total), 6), node.fate, node.rank) for place, node in enumerate(tree.nodes)]
    a, b = STOP + 1, STOP + 2
    assert told[1:] == [
        ((a,), 0.5, "kept", 1),
        ((b,), 0.49, "kept", 2),
        ((b, STOP), 0.245, "ended", 1),
        ((b, a), 0.196, "kept", 2),
        ((a, a), 0.17, "pruned", 3),
        ((a, STOP), 0.1675, "pruned", 4),
        ((b, a, STOP), 0.1764, "ended", 1),
        ((a, a, STOP), 0.136, "greedy", 0),
    ]
    assert [(competed.places, competed.candidates, round(exp(competed.bar), 6)) for competed in tree.rounds] == [
        (2, 2, 0.49), (2, 4, 0.196), (1, 1, 0.1764)
    ]  # fmt: skip
    assert (tree.hypotheses, tree.greedy, tree.best) == ((3, 7), (1, 5, 8), (2, 3))
    assert tree.parting == (1, 2)


def test_a_width_that_no_row_could_hold_is_refused(tiny_model: Pretrained) -> None:
    with pytest.raises(ValueError, match=f"the width of the beam is {DRAWN + 1}; a tree is kept of at most {DRAWN}"):
        grow(tiny_model, "I love you.", BeamSettings(DRAWN + 1))


EVERYWHERE = np.array([True, True, True])


def test_length_normalisation_is_that_of_wu_and_others() -> None:
    assert length_penalty(1) == 1
    assert length_penalty(7) == pytest.approx(2**0.6)
    assert length_penalty(7, alpha=0.0) == 1
    assert length_penalty(13, alpha=1.0) == 3


def test_a_score_is_the_normalised_log_probability_and_the_weighted_coverage_penalty() -> None:
    covering = coverage_penalty(np.array([0.5, 1.5, 0.25]), EVERYWHERE)
    assert BeamSettings(alpha=0.6, coverage=0.2).score(-3.0, 7, covering) == pytest.approx(
        -3 / 2**0.6 + 0.2 * log(1 / 8)
    )
    assert BeamSettings(alpha=0.0).score(-3.0, 7, covering) == -3
    both = BeamSettings(alpha=1.0, coverage=1.0).score(np.array([-3.0, -6.0]), 13, np.array([0.0, -2.0]))
    assert both.tolist() == [-1, -4]


@pytest.mark.parametrize("value", [-0.1, STRONGEST + 0.1, float("nan"), float("inf")])
def test_an_impossible_setting_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=f"alpha, the length normalisation, is {value}; it must be from 0 to 2"):
        BeamSettings(alpha=value)
    with pytest.raises(ValueError, match=f"the coverage penalty is {value}; it must be from 0 to 2"):
        BeamSettings(coverage=value)
    for width in (0, -1, WIDEST + 1):
        with pytest.raises(ValueError, match=f"the width of the beam is {width}; it must be from 1 to {WIDEST}"):
            BeamSettings(width)
