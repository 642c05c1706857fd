"""Payload of the beam tree: the nodes and decoder steps of a search, as JSON and arrays for the browser.

Sums, penalties, probabilities and weights between words are computed here; the browser draws and formats without doing
arithmetic of the model.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.shared.packed import encode
from regard.app.components.stepper.labels import goes_on, label, labelled
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


class Ranked(NamedTuple):
    """A translation as listed; `pieces` mark its differences from the best one."""

    node: int  # its last node
    place: int  # among the hypotheses, from 1; 0 if the beam did not find it
    greedy: bool  # true if greedy decoding writes it
    pieces: list[dict[str, str]]
    log_probability: float
    length: int  # in tokens, including `</s>`
    length_penalty: float
    coverage_penalty: float  # for β = 1
    score: float
    ended: bool
    text: str
    link: str  # opens it in the stepper; "" if it has no words
    same_tokens: bool  # true if its text, typed by a visitor, is read as the same tokens


def ranking(model: AnyModel, tree: BeamTree) -> list[Ranked]:
    """Return a row for each translation."""
    places = {node: place for place, node in enumerate(tree.hypotheses, start=1)}
    places.setdefault(tree.greedy[-1], 0)
    return [_ranked(model, tree, node, place) for node, place in places.items()]


def _ranked(model: AnyModel, tree: BeamTree, last: int, place: int) -> Ranked:
    language = model.tokenizer.languages[1]
    node, ids = tree.nodes[last], tree.ids(last)
    text = tree.text(last)
    sides = (_sentence(model, tree.ids(one)) for one in (last, tree.hypotheses[0]))
    link = {"sentence": tree.source.text, "given": text, "model": model.name}
    return Ranked(
        node=last,
        place=place,
        greedy=last == tree.greedy[-1],
        pieces=[asdict(piece) for piece in pieces(*sides)],
        log_probability=node.total,
        length=node.step,
        length_penalty=length_penalty(node.step, tree.settings.alpha),
        coverage_penalty=float(coverage_penalty(tree.covered(last), tree.reach)),
        score=node.score,
        ended=node.ends,
        text=text,
        link=f"./?{urlencode(link)}" if text else "",
        same_tokens=(*model.tokenizer.encode(text, language).ids, STOP) == ids,
    )


def _sentence(model: AnyModel, ids: tuple[int, ...]) -> Sentence:
    """Return the written sentence, by words."""
    tokenizer, language = model.tokenizer, model.tokenizer.languages[1]
    written = tokenizer.read(ids, language)
    return sentence(tokenizer, written, language, ended=ids[-1:] == (STOP,))


FEW = 2  # pruned branches of a prefix shown at once
NARROW = 5  # the widest beam that shows that many; a wider one has more prefixes


def payload(
    tree: BeamTree, language: str, ranking: Sequence[Ranked], added: Sequence[tuple[int, AddedPrefix]]
) -> dict[str, Any]:
    """Return the tree, the translations it found and the additions by hand. `language` is that of the translations;
    `search` identifies the search."""
    places: dict[str, int] = {}  # of each token in the list of labels
    longest = max(node.step for node in tree.nodes)
    shown: dict[str, Any] = {
        "language": language,
        "width": tree.settings.width,
        "alpha": tree.settings.alpha,
        "coverage": tree.settings.coverage,
        "limit": tree.limit,
        "few": FEW if tree.settings.width <= NARROW else 1,
        "source": _source(tree),
        "nodes": _nodes(tree, places),
        "rounds": _rounds(tree),
        "length_penalties": [length_penalty(length, tree.settings.alpha) for length in range(longest + 1)],
        "rows": _rows(tree, places),
        "hypotheses": tree.hypotheses,
        "best": tree.best,
        "greedy": tree.greedy,
        "added": [{"node": node, "text": written([entry])} for node, entry in added],
        "opening": opening(tree),
        "ranking": [one._asdict() for one in ranking],
    }
    shown["tokens"] = [label(token, goes_on(token)) for token in places]
    search = [tree.maker.fingerprint, tree.source.text, asdict(tree.settings)]
    return {"search": hashlib.sha256(json.dumps(search).encode()).hexdigest(), **shown}


def opening(tree: BeamTree) -> int:
    """Return the node that opens first: where the best path leaves the greedy one, or the middle of the best path."""
    return tree.parting.best if tree.parting else tree.best[len(tree.best) // 2]


def _source(tree: BeamTree) -> dict[str, Any]:
    side = labelled(tree.source)
    parts = {"tokens": side["tokens"], "words": side["words"], "reach": tree.reach.tolist()}
    return {"language": tree.source.language, **parts}


def _place(places: dict[str, int], token: str) -> int:
    """Return a token's place in the list, at its end if it is new."""
    return places.setdefault(token, len(places))


def _nodes(tree: BeamTree, places: dict[str, int]) -> dict[str, Any]:
    nodes = tree.nodes
    return {
        "parent": [node.parent for node in nodes],
        "step": [node.step for node in nodes],
        "token": [_place(places, node.token if index != ROOT else BEGIN) for index, node in enumerate(nodes)],
        "token_id": [node.token_id for node in nodes],
        "ends": [index for index, node in enumerate(nodes) if node.ends and index != ROOT],
        "fate": [FATES.index(node.fate) for node in nodes],
        "fates": FATES,
        "rank": [node.rank for node in nodes],
        "row": [node.row for node in nodes],
        "log_probability": encode(np.array([node.log_probability for node in nodes])),
        "total": encode(np.array([node.total for node in nodes])),
        "score": encode(np.array([node.score for node in nodes])),
    }


def _rounds(tree: BeamTree) -> list[dict[str, Any]]:
    """Return the competition of each step; `next` is the total of the likeliest candidate without a place."""
    likeliest: dict[int, float] = {}
    for node in tree.nodes:
        if node.fate == "pruned":
            likeliest[node.step] = max(node.total, likeliest.get(node.step, -np.inf))
    return [
        {"places": one.places, "candidates": one.candidates, "bar": one.bar, "next": likeliest.get(step)}
        for step, one in enumerate(tree.rounds, start=1)
    ]


def _rows(tree: BeamTree, places: dict[str, int]) -> dict[str, Any]:
    """Return one decoder step per prefix: its attention, the coverage so far, and the likeliest next tokens."""
    covered = _covered(tree)
    words = np.eye(len(tree.source.words))[list(tree.source.word_of)]
    probabilities = np.exp(tree.top_log_probabilities.astype(np.float64))
    return {
        "word_weights": encode(tree.weights @ words),
        "covered": encode(np.clip(covered, LEAST, 1)),  # as the penalty counts it
        "coverage_penalty": encode(coverage_penalty(covered, tree.reach)),
        "top_id": tree.top_ids.tolist(),
        "top_token": [[_place(places, token) for token in likeliest] for likeliest in tree.top_tokens],
        "top_probability": encode(probabilities),
        "rest": encode(np.maximum(0, 1 - probabilities.sum(1))),
    }


def _covered(tree: BeamTree) -> Float[ndarray, "R S"]:
    """Return the attention each source token has received, this row included; a row comes after those of its prefix."""
    covered = tree.weights.astype(np.float64)
    for row, node in enumerate(tree.expanded):
        if node != ROOT:
            covered[row] += covered[tree.nodes[node].row]
    return covered
