"""Word alignment from the heads of a Transformer: the agreement of each cross-attention head with people's links.

A head is named by its layer and its number in it, from 0. In addition to single heads there are the mean of each layer
and the mean of all. Rows belong to the word produced ("output") or to the word fed in ("input"), which is the one that
a decoder layer knows best (Garg et al. 2019; Chen et al. 2020).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import ROWS, Alignment
from regard.model.trace import AnyTrace
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.transformer.trace import AttentionTrace, TransformerTrace
from regard.model.word_alignment.alignment_error_rate import NO_LINKS, Agreement, GoldPair, agreement, rates
from regard.model.word_alignment.detokenize import between, links
from regard.model.word_alignment.from_attention import forced_pairs

MEAN = -1  # instead of a head or layer number: the mean over all
Place = tuple[str, int, int]  # rows, layer, head
HeadAgreements = Mapping[Place, Agreement]


class CrossHead(NamedTuple):
    """A head of the cross-attention, or a mean of heads."""

    layer: int
    head: int


def head_agreements(model: PretrainedTransformer, gold: Sequence[GoldPair]) -> Iterator[HeadAgreements]:
    """Yield the agreements of each pair, forced as a whole, its words first joined into text."""
    for pair, source, target, trace in forced_pairs(model, gold):
        sides = trace.alignment.source, trace.alignment.target
        yield {
            (rows, head.layer, head.head): agreement(
                links(between(Alignment(*sides, weights), source, target, rows)), pair.sure, pair.possible
            )
            for head, weights in readings(trace.cross_attention)
            for rows in ROWS
        }


def alignment_of(trace: AnyTrace, head: CrossHead) -> Alignment:
    """Return the alignment of one head or mean; a recurrent network has a single attention, returned for any head."""
    if not isinstance(trace, TransformerTrace):
        return trace.alignment
    weights = dict(readings(trace.cross_attention))[head]
    return Alignment(trace.alignment.source, trace.alignment.target, weights)


def readings(attention: AttentionTrace) -> Iterator[tuple[CrossHead, Float[ndarray, "T S"]]]:
    """Yield the weights of every head, of each layer's mean and of the mean of all."""
    layers, heads = attention.weights.shape[:2]
    for layer in range(layers):
        yield from ((CrossHead(layer, head), attention.weights[layer, head]) for head in range(heads))
        yield CrossHead(layer, MEAN), attention.mean(layer)
    yield CrossHead(MEAN, MEAN), attention.weights.mean((0, 1))


def summed(found: Sequence[HeadAgreements]) -> HeadAgreements:
    """Sum the agreements of several pairs or stories."""
    places = dict.fromkeys(place for each in found for place in each)
    return {place: sum((each[place] for each in found), NO_LINKS) for place in places}


def best_head(found: HeadAgreements) -> Place:
    """Return the single head with the lowest error rate in either kind of rows; the first of equal ones."""
    return min((place for place in found if MEAN not in place[1:]), key=lambda place: found[place].error_rate)


def head_scores(stories: Mapping[str, HeadAgreements]) -> dict[str, Any]:
    """Return the entry of `scores.json`: the error rate of every reading, and `elsewhere`, the error rate of the best
    head on stories that did not choose it: for each story, the head is the best one on the other stories."""
    together = summed(list(stories.values()))
    chosen = {
        name: best_head(summed([found for other, found in stories.items() if other != name]))
        for name in stories
        if len(stories) > 1
    }
    elsewhere = {name: stories[name][place] for name, place in chosen.items()}
    scores: dict[str, Any] = {rows: _by_layer(together, rows) for rows in ROWS}
    scores["best"] = _told(best_head(together), together[best_head(together)])
    if chosen:
        most, _ = Counter(chosen.values()).most_common(1)[0]
        scores["chosen_on_the_others"] = {name: _told(chosen[name], found) for name, found in elsewhere.items()}
        scores["elsewhere"] = {**_told(most, sum(elsewhere.values(), NO_LINKS)), "stories": len(chosen)}
    return scores


def _by_layer(found: HeadAgreements, rows: str) -> dict[str, Any]:
    layers = sorted({layer for _, layer, _ in found} - {MEAN})
    heads = sorted({head for _, _, head in found} - {MEAN})
    return {
        "heads": [[_aer(found[rows, layer, head]) for head in heads] for layer in layers],
        "layers": [_aer(found[rows, layer, MEAN]) for layer in layers],
        "mean": _aer(found[rows, MEAN, MEAN]),
    }


def _told(place: Place, found: Agreement) -> dict[str, Any]:
    return {**dict(zip(("rows", "layer", "head"), place, strict=True)), **rates(found)}


def _aer(found: Agreement) -> float:
    return rates(found)["aer"]
