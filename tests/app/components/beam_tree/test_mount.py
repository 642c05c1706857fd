"""The browser gets the search as it is: its numbers, their sums and a place for every node."""

import json
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.components.beam_tree.mount import payload
from regard.app.components.shared.packed import as_text
from regard.app.screens.beam.text import NARROWEST, best, parting, to_json
from regard.app.theme import component
from regard.model.checkpoint import Pretrained
from regard.model.decoding.beam import expand, finish, grow
from regard.model.decoding.beam_tree import (
    LEAST,
    MOST_PREFIXES,
    ROOT,
    Added,
    AddedPrefix,
    BeamSettings,
    BeamTree,
    add,
    coverage_penalty,
    node_of,
    read,
    written,
)
from regard.model.translate import translate
from tests.support.javascript import APP, evaluated
from tests.support.made_traces import decoded

SENTENCE = "I love you."
SETTINGS = (BeamSettings(1), BeamSettings(3, 0.6, 0.2), BeamSettings(7, 0.0, 0.0))


@pytest.fixture(scope="module", params=SETTINGS, ids=lambda settings: f"width-{settings.width}")
def tree(restless: Pretrained, request: pytest.FixtureRequest) -> BeamTree:
    return grow(restless, SENTENCE, request.param)


def pruned(tree: BeamTree) -> list[int]:
    """Those that can go on."""
    return [index for index, node in enumerate(tree.nodes) if node.fate == "pruned" and not tree.done(index)]


def shown(model: Pretrained, tree: BeamTree, entries: tuple[tuple[int, AddedPrefix], ...] = ()) -> dict[str, Any]:
    """The payload after a journey through JSON."""
    return json.loads(as_text(payload(model, tree, entries)))


def by_hand(model: Pretrained, tree: BeamTree, text: str) -> Added:
    return add(tree, read(text), partial(expand, model), partial(finish, model))


def in_javascript(data: dict[str, Any], expression: str, before: str = "") -> Any:
    """An expression's value that has the opened tree as `tree`."""
    file = APP / "components" / "beam_tree" / "search_tree.js"
    opened = f"const tree = openTree({json.dumps(data)});\n{before}"
    return evaluated(expression, {file: "openTree, layOut, sayFate, sayNode, sayStep"}, opened)


def test_every_number_arrives_and_a_score_can_be_computed_again(restless: Pretrained, tree: BeamTree) -> None:
    data = shown(restless, tree)
    nodes, rows = data["nodes"], data["rows"]
    for name in ("log_probability", "total", "score"):
        expected = np.array([getattr(node, name) for node in tree.nodes], dtype=np.float32)
        assert np.array_equal(decoded(nodes[name]), expected)
    assert [nodes["fates"][index] for index in nodes["fate"]] == [node.fate for node in tree.nodes]
    covered, penalties = decoded(rows["covered"]), decoded(rows["coverage_penalty"])
    for index in range(1, len(tree.nodes), 7):
        node, covering = tree.nodes[index], coverage_penalty(tree.covered(index), tree.reach)
        assert np.allclose(covered[node.row], np.clip(tree.covered(index), LEAST, 1), atol=1e-6)
        assert penalties[node.row] == pytest.approx(covering, rel=1e-5)
        score = node.total / data["length_penalties"][node.step] + data["coverage"] * covering
        assert node.score == pytest.approx(score, abs=1e-4)
    words = decoded(rows["word_weights"])
    first = [token for token, word in enumerate(tree.source.word_of) if word == 0]
    assert np.allclose(words[:, 0], tree.weights[:, first].sum(1), atol=1e-6)
    assert np.allclose(decoded(rows["top_probability"]).sum(1) + decoded(rows["rest"]), 1, atol=1e-5)


def test_the_list_is_that_of_the_hypotheses_and_greedy_decoding(restless: Pretrained, tree: BeamTree) -> None:
    listed = shown(restless, tree)["ranking"]
    assert [one["node"] for one in listed if one["place"]] == list(tree.hypotheses)
    (greedy,) = (one for one in listed if one["greedy"])
    assert (greedy["node"], greedy["text"]) == (tree.greedy[-1], translate(restless, [SENTENCE])[0].text)
    for one in listed:
        assert "".join(piece["text"] for piece in one["pieces"] if piece["kind"] != "missing") == one["text"]
        assert one["score"] == pytest.approx(
            one["log_probability"] / one["length_penalty"] + tree.settings.coverage * one["coverage_penalty"]
        )


def test_the_sentences_above_say_what_won_and_where_the_paths_part(restless: Pretrained) -> None:
    seen = set()
    for width in (1, 2, 4):
        tree = grow(restless, SENTENCE, BeamSettings(width))
        told, last = parting(tree, "fr"), tree.nodes[tree.hypotheses[0]]
        assert f"log-probability {component(last.total)} · score {component(last.score)}" in best(tree, "fr")
        seen.add(tree.parting is not None)
        if tree.parting is None:
            assert (NARROWEST in told) == (width == 1)
            continue
        ends = tree.nodes[tree.greedy[-1]], last
        assert f"part at step {tree.nodes[tree.parting[0]].step}" in told
        assert all(component(value) in told for node in ends for value in (node.total, node.score))
    assert seen == {True, False}


def test_the_downloaded_tree_adds_up_exactly(tree: BeamTree) -> None:
    found = json.loads(to_json(tree))
    for node in found["nodes"][1:]:
        parent = found["nodes"][node["parent"]]
        assert node["total"] == parent["total"] + node["log_probability"]
    assert [row["node"] for row in found["rows"]] == list(tree.expanded)
    assert found["hypotheses"][0]["text"] == tree.text(tree.hypotheses[0])


@given(st.lists(st.tuples(st.lists(st.integers(0, 9_999_999), min_size=1, max_size=9), st.booleans()), max_size=9))
def test_what_is_added_by_hand_survives_the_link(entries: list[tuple[list[int], bool]]) -> None:
    kept = tuple(dict.fromkeys(AddedPrefix(tuple(ids), greedy) for ids, greedy in entries))
    assert read(written(kept)) == kept


@pytest.mark.parametrize(
    "text", ["", "~", "<script>", "1.", ".1", "1..2", "-1", "1g2", "１", "1 2", "9" * 50, "a" * 9999]
)
def test_a_link_that_names_no_prefix_adds_nothing(text: str) -> None:
    assert read(text) == ()
    assert len(read("~".join(str(index) for index in range(1000)))) == MOST_PREFIXES


def test_a_pruned_branch_is_expanded_and_goes_on_greedily_but_not_what_has_ended(restless: Pretrained) -> None:
    tree = grow(restless, SENTENCE, BeamSettings(3))
    node = pruned(tree)[0]
    path = ".".join(map(str, tree.ids(node)))
    grown, entries = by_hand(restless, tree, f"{path}~{path}g~{path}.999999~888888")
    assert entries == ((node, AddedPrefix(tree.ids(node), False)), (node, AddedPrefix(tree.ids(node), True)))
    assert len(grown.children(node)) >= tree.settings.width
    assert grown.done(grown.onwards(node))
    assert grown.nodes[: len(tree.nodes)] == tree.nodes
    assert node_of(grown, tree.ids(node)) == node
    assert {grown.nodes[child].fate for child in grown.children(node)} == {"by hand"}
    assert by_hand(restless, tree, ".".join(map(str, tree.ids(tree.hypotheses[0])))) == Added(tree, ())


@pytest.mark.parametrize("unfolded", [False, True])
def test_no_two_nodes_share_a_place_and_every_other_one_is_counted(
    restless: Pretrained, tree: BeamTree, unfolded: bool
) -> None:
    some = pruned(tree)[::5]
    grown, entries = by_hand(restless, tree, "~".join(".".join(map(str, tree.ids(node))) for node in some))
    found = in_javascript(
        shown(restless, grown, entries),
        "{ lanes: [...lanes], folds: [...folds], height }",
        f"""const all = new Set({str(unfolded).lower()} ? [...tree.step.keys()].map(tree.key) : []);
        const {{ lanes, folds, height }} = layOut(tree, all);""",
    )
    places = [(node.step, lane) for node, lane in zip(grown.nodes, found["lanes"], strict=True) if lane >= 0]
    counts = [(grown.nodes[parent].step + 1, fold["lane"]) for parent, fold in found["folds"]]
    assert len({*places, *counts}) == len(places) + len(counts)
    assert max(lane for _, lane in (*places, *counts)) < found["height"]
    hidden = sum(fold["hidden"] for _, fold in found["folds"] if not fold["open"])
    assert len(places) + hidden == len(grown.nodes)
    assert all(found["lanes"][node] == 0 for node in (ROOT, *grown.best))
    assert (hidden == 0) or not unfolded


def test_why_a_branch_was_pruned_is_told_with_its_rank_and_what_it_missed(restless: Pretrained) -> None:
    tree = grow(restless, SENTENCE, BeamSettings(3))
    node = pruned(tree)[0]
    one, round_ = tree.nodes[node], tree.rounds[tree.nodes[node].step - 1]
    assert in_javascript(shown(restless, tree), f"sayFate(tree, {node})") == (
        f"Pruned: number {one.rank} of {round_.candidates} at step {one.step}, for {round_.places} free places. "
        f"Up to here the log-probability is {component(one.total)}, {component(round_.bar - one.total)} below the last "
        f"one kept ({component(round_.bar)})."
    )


def test_every_node_and_every_step_has_its_words(restless: Pretrained, tree: BeamTree) -> None:
    grown, entries = by_hand(
        restless, tree, f"{'.'.join(map(str, tree.ids(pruned(tree)[-1])))}g" if pruned(tree) else ""
    )
    told = in_javascript(
        shown(restless, grown, entries),
        "[...[...tree.step.keys()].map((i) => sayNode(tree, i)), ...steps]",
        "const steps = Array.from({ length: tree.steps + 1 }, (_, step) => sayStep(tree, step));",
    )
    assert len(told) == len(grown.nodes) + len(grown.rounds) + 1
    assert not any(word in text for text in told for word in ("undefined", "NaN", "Infinity"))
