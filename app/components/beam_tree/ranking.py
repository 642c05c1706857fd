"""Ranking: the translations that a search found, best first, and greedy decoding's if it is not among them."""

from dataclasses import asdict
from typing import NamedTuple
from urllib.parse import urlencode

from regard.model.alignment import Sentence
from regard.model.analysis.model_comparison import pieces
from regard.model.checkpoint import AnyModel
from regard.model.decoding.beam_tree import BeamTree, coverage_penalty, length_penalty
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
