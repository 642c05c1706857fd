"""The beam search as a tree, drawn and grown in the browser; the server is asked only for additions by hand.

`search.js` is its entry. Sums, penalties, probabilities and weights between words are computed here; the browser draws
and formats without doing arithmetic of the model.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any
from urllib.parse import urlencode

import numpy as np

from regard.app.components.shared.component import hear, served
from regard.app.components.shared.packed import encode, pack
from regard.app.components.stepper.payload import side
from regard.model.alignment import BEGIN
from regard.model.analysis.model_comparison import pieces
from regard.model.checkpoint import AnyModel
from regard.model.decoding.beam_tree import (
    FATES,
    LEAST,
    ROOT,
    AddedPrefix,
    BeamTree,
    coverage_penalty,
    length_penalty,
    written,
)
from regard.model.tokenizer import STOP
from regard.model.tracing import sentence

NAME = "regard_beam_tree"
mounted = served("beam_tree", "search.js", ("colours", "base", "search"))


def search(
    model: AnyModel,
    tree: BeamTree,
    added: Sequence[tuple[int, AddedPrefix]],
    *,
    key: str,
    on_add: Callable[[str], None],
) -> None:
    """Mount a tree with its additions by hand. `on_add` receives all additions by hand, as untrusted text."""
    heard = partial(hear, NAME, key, "add", lambda sent: on_add(sent.text))
    mounted()(key=key, data=pack(payload(model, tree, added)).message({}), on_add_change=heard)


def payload(model: AnyModel, tree: BeamTree, added: Sequence[tuple[int, AddedPrefix]] = ()) -> dict[str, Any]:
    """Return the tree, the translations it found and the additions by hand; `search` identifies the search. It opens
    where the best path leaves the greedy one, or in the middle of the best path."""
    search = [tree.maker.fingerprint, tree.source.text, asdict(tree.settings)]
    places: dict[str, int] = {}  # of each token in the list of tokens
    longest = max(node.step for node in tree.nodes)
    parting = tree.parting
    shown: dict[str, Any] = {
        "search": hashlib.sha256(json.dumps(search).encode()).hexdigest(),
        "language": model.tokenizer.languages[1],
        **asdict(tree.settings),
        "limit": tree.limit,
        "source": {**side(tree.source), "language": tree.source.language, "reach": tree.reach.tolist()},
        "nodes": _nodes(tree, places),
        "rounds": [asdict(one) for one in tree.rounds],
        "length_penalties": [length_penalty(length, tree.settings.alpha) for length in range(longest + 1)],
        "rows": _rows(tree, places),
        "hypotheses": tree.hypotheses,
        "best": tree.best,
        "greedy": tree.greedy,
        "added": [{"node": node, "text": written([entry])} for node, entry in added],
        "opening": parting[1] if parting else tree.best[len(tree.best) // 2],
        "ranking": _ranking(model, tree),
    }
    return {**shown, "tokens": list(places)}


def _ranking(model: AnyModel, tree: BeamTree) -> list[dict[str, Any]]:
    """Return each translation as listed: its last node, its place among the hypotheses (from 1; 0 if the beam did not
    find it), its numbers, and the link that opens it in the stepper."""
    tokenizer, language = model.tokenizer, model.tokenizer.languages[1]
    places = {node: place for place, node in enumerate(tree.hypotheses, start=1)}
    places.setdefault(tree.greedy[-1], 0)
    sides = {
        node: sentence(tokenizer, tokenizer.read(tree.ids(node), language), language, ended=tree.nodes[node].ends)
        for node in places
    }
    return [
        {
            "node": last,
            "place": place,
            "greedy": last == tree.greedy[-1],
            "pieces": [asdict(piece) for piece in pieces(sides[last], sides[tree.hypotheses[0]])],
            "log_probability": tree.nodes[last].total,
            "length": tree.nodes[last].step,
            "length_penalty": length_penalty(tree.nodes[last].step, tree.settings.alpha),
            "coverage_penalty": float(coverage_penalty(tree.covered(last), tree.reach)),
            "score": tree.nodes[last].score,
            "ended": tree.nodes[last].ends,
            "text": text,
            "link": f"./?{urlencode({'sentence': tree.source.text, 'given': text, 'model': model.name})}"
            if text
            else "",
            "same_tokens": (*tokenizer.encode(text, language).ids, STOP) == tree.ids(last),  # as typed text is read
        }
        for last, place in places.items()
        for text in [tree.text(last)]
    ]


def _nodes(tree: BeamTree, places: dict[str, int]) -> dict[str, Any]:
    nodes = tree.nodes
    columns = {name: [getattr(node, name) for node in nodes] for name in ("parent", "step", "token_id", "rank", "row")}
    arrays = ("log_probability", "total", "score")
    return {
        **columns,
        **{name: encode(np.array([getattr(node, name) for node in nodes])) for name in arrays},
        "token": [places.setdefault(node.token if place else BEGIN, len(places)) for place, node in enumerate(nodes)],
        "ends": [place for place, node in enumerate(nodes) if node.ends],
        "fate": [FATES.index(node.fate) for node in nodes],
        "fates": FATES,
    }


def _rows(tree: BeamTree, places: dict[str, int]) -> dict[str, Any]:
    """Return one decoder step per prefix: its attention, the coverage so far, and the likeliest next tokens."""
    covered = tree.weights.astype(np.float64)
    for row, node in enumerate(tree.expanded):  # a row comes after those of its prefix
        if node != ROOT:
            covered[row] += covered[tree.nodes[node].row]
    words = np.eye(len(tree.source.words))[list(tree.source.word_of)]
    probabilities = np.exp(tree.top_log_probabilities.astype(np.float64))
    return {
        "word_weights": encode(tree.weights @ words),
        "covered": encode(np.clip(covered, LEAST, 1)),  # as the penalty counts it
        "coverage_penalty": encode(coverage_penalty(covered, tree.reach)),
        "top_id": tree.top_ids.tolist(),
        "top_token": [[places.setdefault(token, len(places)) for token in tops] for tops in tree.top_tokens],
        "top_probability": encode(probabilities),
        "rest": encode(np.maximum(0, 1 - probabilities.sum(1))),
    }
