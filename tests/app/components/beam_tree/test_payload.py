"""The browser gets the search as it is: its numbers, their sums and a place for every node."""

import json
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.components.beam_tree.payload import payload, ranking
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
    length_penalty,
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
    return json.loads(as_text(payload(tree, "fr", ranking(model, tree), entries)))


@pytest.fixture(scope="module")
def data(restless: Pretrained, tree: BeamTree) -> dict[str, Any]:
    return shown(restless, tree)


def by_hand(model: Pretrained, tree: BeamTree, text: str) -> Added:
    return add(tree, read(text), partial(expand, model), partial(finish, model))


def in_javascript(data: dict[str, Any], expression: str, before: str = "") -> Any:
    """An expression's value that has the opened tree as `tree`."""
    folder = APP / "components" / "beam_tree"
    names = {"search_tree": "openTree, sayAdded, sayFate, sayNode, sayStep", "tree": "layOut"}
    opened = f"const tree = openTree({json.dumps(data)});\n{before}"
    return evaluated(expression, {folder / f"{file}.js": used for file, used in names.items()}, opened)


def test_every_node_arrives_with_its_numbers(tree: BeamTree, data: dict[str, Any]) -> None:
    nodes = data["nodes"]
    for name in ("log_probability", "total", "score"):
        expected = np.array([getattr(node, name) for node in tree.nodes], dtype=np.float32)
        assert np.array_equal(decoded(nodes[name]), expected)
    for name in ("parent", "step", "rank", "row", "token_id"):
        assert nodes[name] == [getattr(node, name) for node in tree.nodes]
    assert [nodes["fates"][index] for index in nodes["fate"]] == [node.fate for node in tree.nodes]


def test_a_score_can_be_computed_again_from_what_is_shown(tree: BeamTree, data: dict[str, Any]) -> None:
    nodes, covering = data["nodes"], decoded(data["rows"]["coverage_penalty"])
    log_probabilities, totals, scores = (decoded(nodes[name]) for name in ("log_probability", "total", "score"))
    for index in range(1, len(tree.nodes)):
        total = sum(log_probabilities[list(tree.path(index))])
        penalty = data["length_penalties"][nodes["step"][index]]
        score = total / penalty + data["coverage"] * covering[nodes["row"][index]]
        assert totals[index] == pytest.approx(total, abs=1e-4)
        assert scores[index] == pytest.approx(score, abs=1e-4)


def test_coverage_is_what_each_source_token_was_given_in_all(tree: BeamTree, data: dict[str, Any]) -> None:
    rows = data["rows"]
    covered, penalties = decoded(rows["covered"]), decoded(rows["coverage_penalty"])
    for index in range(1, len(tree.nodes), 7):
        row = tree.nodes[index].row
        assert np.allclose(covered[row], np.clip(tree.covered(index), LEAST, 1), atol=1e-6)
        assert penalties[row] == pytest.approx(coverage_penalty(tree.covered(index), tree.reach), rel=1e-5)


def test_weights_of_words_are_the_sums_of_those_of_their_tokens(tree: BeamTree, data: dict[str, Any]) -> None:
    words = decoded(data["rows"]["word_weights"])
    assert np.allclose(words.sum(1), 1, atol=1e-5)
    first = [token for token, word in enumerate(tree.source.word_of) if word == 0]
    assert np.allclose(words[:, 0], tree.weights[:, first].sum(1), atol=1e-6)


def test_the_likeliest_tokens_and_the_rest_share_all_probability(data: dict[str, Any]) -> None:
    rows = data["rows"]
    assert np.allclose(decoded(rows["top_probability"]).sum(1) + decoded(rows["rest"]), 1, atol=1e-5)


def test_the_list_is_that_of_the_hypotheses_and_greedy_decoding(restless: Pretrained, tree: BeamTree) -> None:
    listed = ranking(restless, tree)
    assert [one.node for one in listed if one.place] == list(tree.hypotheses)
    assert [one.node for one in listed if one.greedy] == [tree.greedy[-1]]
    assert next(one for one in listed if one.greedy).text == translate(restless, [SENTENCE])[0].text
    for one in listed:
        assert "".join(piece["text"] for piece in one.pieces if piece["kind"] != "missing") == one.text
        assert one.score == pytest.approx(
            one.log_probability / one.length_penalty + tree.settings.coverage * one.coverage_penalty
        )
        assert one.length_penalty == length_penalty(one.length, tree.settings.alpha)
    assert all(piece["kind"] == "same" for piece in listed[0].pieces)


def test_the_sentence_above_says_where_the_paths_part_and_what_that_is_worth(restless: Pretrained) -> None:
    seen = set()
    for width in (1, 2, 4):
        tree = grow(restless, SENTENCE, BeamSettings(width))
        told = parting(tree, "fr")
        seen.add(tree.parting is not None)
        if tree.parting is None:
            assert (NARROWEST in told) == (width == 1)
            continue
        ends = tree.nodes[tree.parting.greedy_end], tree.nodes[tree.parting.best_end]
        assert f"part at step {tree.parting.step}" in told
        assert all(component(value) in told for node in ends for value in (node.total, node.score))
        assert ("dropped the greedy path" in told) == (tree.parting.dropped is not None)
    assert seen == {True, False}


def test_the_best_translation_is_told_with_its_numbers(restless: Pretrained, tree: BeamTree) -> None:
    last = tree.nodes[tree.hypotheses[0]]
    assert f"log-probability {component(last.total)} · score {component(last.score)}" in best(tree, "fr")


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


def test_a_link_adds_only_so_much() -> None:
    assert len(read("~".join(str(index) for index in range(1000)))) == MOST_PREFIXES


def test_a_pruned_branch_is_expanded_and_goes_on_greedily(restless: Pretrained) -> None:
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


def test_what_has_ended_cannot_be_expanded(restless: Pretrained) -> None:
    tree = grow(restless, SENTENCE, BeamSettings(3))
    ended = tree.hypotheses[0]
    assert by_hand(restless, tree, ".".join(map(str, tree.ids(ended)))) == Added(tree, ())


@pytest.mark.parametrize("unfolded", [False, True])
def test_no_two_nodes_share_a_place_and_every_other_one_is_counted(
    restless: Pretrained, tree: BeamTree, unfolded: bool
) -> None:
    some = pruned(tree)[::5]
    grown, entries = by_hand(restless, tree, "~".join(".".join(map(str, tree.ids(node))) for node in some))
    found = in_javascript(
        shown(restless, grown, entries),
        "{ lanes: [...lanes], folds: [...folds.values()], height }",
        f"""const all = new Set({str(unfolded).lower()} ? [...tree.step.keys()].map(tree.key) : []);
        const {{ lanes, folds, height }} = layOut(tree, all);""",
    )
    places = [(node.step, lane) for node, lane in zip(grown.nodes, found["lanes"], strict=True) if lane >= 0]
    assert len(set(places)) == len(places)
    assert max(lane for _, lane in places) < found["height"]
    hidden = sum(fold["hidden"] for fold in found["folds"] if not fold["open"])
    assert len(places) + hidden == len(grown.nodes)
    assert all(found["lanes"][node] == 0 for node in (ROOT, *grown.best))
    assert (hidden == 0) or not unfolded


def test_why_a_branch_was_pruned_is_told_with_its_rank_and_what_it_missed(restless: Pretrained) -> None:
    tree = grow(restless, SENTENCE, BeamSettings(3))
    node = pruned(tree)[0]
    one, round_ = tree.nodes[node], tree.rounds[tree.nodes[node].step - 1]
    told = in_javascript(shown(restless, tree), f"sayFate(tree, {node})")
    assert told == (
        f"Pruned: number {one.rank} of {round_.candidates} at step {one.step}, where {round_.places} places were free. "
        f"Up to here the log-probability is {component(one.total)}, {component(round_.bar - one.total)} below the last "
        f"one kept ({component(round_.bar)})."
    )


def test_every_node_and_every_step_has_its_words(restless: Pretrained, tree: BeamTree) -> None:
    some = pruned(tree)[-1:]
    grown, entries = by_hand(restless, tree, "~".join(f"{'.'.join(map(str, tree.ids(node)))}g" for node in some))
    told = in_javascript(
        shown(restless, grown, entries),
        "[...[...tree.step.keys()].map((i) => sayNode(tree, i)), ...steps, ...added]",
        """const steps = Array.from({ length: tree.steps + 1 }, (_, step) => sayStep(tree, step));
        const added = tree.added.length ? [sayAdded(tree)] : [];""",
    )
    assert len(told) == len(grown.nodes) + len(grown.rounds) + 1 + len(some)
    assert not any(word in text for text in told for word in ("undefined", "NaN", "Infinity"))


def test_a_step_names_its_prefixes_by_their_last_two_words_whole_as_far_as_they_are_written(
    data: dict[str, Any],
) -> None:
    steps = in_javascript(
        data,
        "Array.from({ length: tree.steps }, (_, k) => [sayStep(tree, k + 1), named(k + 1)])",
        """const kept = (i) => ["kept", "cut"].includes(tree.fate[i]);
        const named = (step) => tree.competitors[step].filter(kept).slice(0, 5)
          .map((i) => tree.path(i).map(tree.label));""",
    )
    pieces = 0
    for told, prefixes in steps:
        for labels in prefixes:
            words: list[str] = []
            for label in labels:
                joins = label["kind"] == "piece" and bool(words)
                pieces += joins
                words += [words.pop() + label["text"]] if joins else [label["text"]]
            assert f"“{' '.join(words[-2:])}”" in told
    assert pieces  # else nothing had to be joined
