"""Payload of the beam tree: the nodes and decoder steps of a search, as JSON and arrays for the browser.

Sums, penalties, probabilities and weights between words are computed here; the browser draws and formats without doing
arithmetic of the model.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

import numpy as np

from regard.app.components.shared.packed import encode
from regard.app.components.stepper.payload import goes_on, label, labelled
from regard.model.alignment import BEGIN, Sentence
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


def ranking(model: AnyModel, tree: BeamTree) -> list[dict[str, Any]]:
    """Return each translation as listed: its last node, its place among the hypotheses (from 1; 0 if the beam did not
    find it), its numbers, and the link that opens it in the stepper."""
    places = {node: place for place, node in enumerate(tree.hypotheses, start=1)}
    places.setdefault(tree.greedy[-1], 0)
    return [_ranked(model, tree, node, place) for node, place in places.items()]


def _ranked(model: AnyModel, tree: BeamTree, last: int, place: int) -> dict[str, Any]:
    node, ids, text = tree.nodes[last], tree.ids(last), tree.text(last)
    sides = (_sentence(model, tree.ids(one)) for one in (last, tree.hypotheses[0]))
    link = {"sentence": tree.source.text, "given": text, "model": model.name}
    again = model.tokenizer.encode(text, model.tokenizer.languages[1]).ids  # as a visitor's typed text is read
    return {
        "node": last,
        "place": place,
        "greedy": last == tree.greedy[-1],
        "pieces": [asdict(piece) for piece in pieces(*sides)],
        "log_probability": node.total,
        "length": node.step,
        "length_penalty": length_penalty(node.step, tree.settings.alpha),
        "coverage_penalty": float(coverage_penalty(tree.covered(last), tree.reach)),
        "score": node.score,
        "ended": node.ends,
        "text": text,
        "link": f"./?{urlencode(link)}" if text else "",
        "same_tokens": (*again, STOP) == ids,
    }


def _sentence(model: AnyModel, ids: tuple[int, ...]) -> Sentence:
    """Return the written sentence, by words."""
    tokenizer, language = model.tokenizer, model.tokenizer.languages[1]
    return sentence(tokenizer, tokenizer.read(ids, language), language, ended=ids[-1:] == (STOP,))


def payload(model: AnyModel, tree: BeamTree, added: Sequence[tuple[int, AddedPrefix]] = ()) -> dict[str, Any]:
    """Return the tree, the translations it found and the additions by hand; `search` identifies the search. It opens
    where the best path leaves the greedy one, or in the middle of the best path."""
    search = [tree.maker.fingerprint, tree.source.text, asdict(tree.settings)]
    places: dict[str, int] = {}  # of each token in the list of labels
    longest = max(node.step for node in tree.nodes)
    side = labelled(tree.source)
    parting = tree.parting
    shown: dict[str, Any] = {
        "search": hashlib.sha256(json.dumps(search).encode()).hexdigest(),
        "language": model.tokenizer.languages[1],
        **asdict(tree.settings),
        "limit": tree.limit,
        "source": {
            "language": tree.source.language,
            "tokens": side["tokens"],
            "words": side["words"],
            "reach": tree.reach.tolist(),
        },
        "nodes": _nodes(tree, places),
        "rounds": [asdict(one) for one in tree.rounds],
        "length_penalties": [length_penalty(length, tree.settings.alpha) for length in range(longest + 1)],
        "rows": _rows(tree, places),
        "hypotheses": tree.hypotheses,
        "best": tree.best,
        "greedy": tree.greedy,
        "added": [{"node": node, "text": written([entry])} for node, entry in added],
        "opening": parting[1] if parting else tree.best[len(tree.best) // 2],
        "ranking": ranking(model, tree),
    }
    return {**shown, "tokens": [label(token, goes_on(token)) for token in places]}


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
