"""Beam search: several translations grow side by side, and the best one is chosen.

Each step keeps the `width` likeliest continuations. One that ends with `</s>` is set aside and its place is not
refilled, so a beam of width 1 is greedy decoding. At the end, translations that ended are ranked by the score of
`regard.model.decoding.beam_tree`; translations cut at the limit are ranked only if none ended.

During the search, prefixes compete by log-probability alone. Those of one step are equally long, so the length penalty
could not change their order; and the coverage penalty would punish a prefix for what it has yet to translate.

`search` keeps only the translations; `grow` keeps the search as a tree, which `expand` and `finish` continue by hand.
They are pure: the given tree stays as it was. A search steps its prefixes together; to continue from a node later, its
prefix is fed to the decoder again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from regard.model.autoregression import Decoded, Prefixes, advance, decoder_steps, empty
from regard.model.checkpoint import AnyModel, AnyPretrained
from regard.model.decoding.beam_tree import ROOT, BeamSettings, BeamTree, Node, Round, coverage_penalty
from regard.model.input_error import InputError
from regard.model.network import AnyMemory, TraceT, repeated, taken
from regard.model.tokenizer import CONTROL, START, STOP, Encoding
from regard.model.tracing import LIKELIEST, maker, sentence
from regard.model.translate import AHEAD, BATCH, force_ids, limit, read
from regard.model.translate import write as write_greedily
from regard.model.words import normalise

DRAWN = LIKELIEST  # the widest beam kept as a tree, so that a row holds all possible continuations of its node


@dataclass(frozen=True)
class Hypothesis:
    """A translation found by the search. `stop` is "end" if it produced `</s>`, "limit" if it was cut."""

    ids: tuple[int, ...]
    log_probability: float
    score: float
    stop: str


class Candidates(NamedTuple):
    """One step of the search over B prefixes: all N continuations competing for its places, likeliest first."""

    weights: Float[ndarray, "B S"]
    covered: Float[ndarray, "B S"]  # attention each source token has received so far, including this step
    top_ids: Int[ndarray, "B K"]  # the likeliest next tokens of each prefix, at least one per place
    top_log_probabilities: Float[ndarray, "B K"]
    places: int
    parents: Int[ndarray, " N"]  # the prefix that each candidate continues
    tokens: Int[ndarray, " N"]
    log_probabilities: Float[ndarray, " N"]  # of the tokens
    totals: Float[ndarray, " N"]  # of the whole prefixes

    def scores(self, settings: BeamSettings, reach: Bool[ndarray, " S"], length: int) -> Float[ndarray, " N"]:
        """Score the candidates as if they were whole translations."""
        return settings.score(self.totals, length, coverage_penalty(self.covered, reach)[self.parents])


@torch.inference_mode()
def compete(model: AnyModel, memory: AnyMemory, width: int) -> Iterator[Candidates]:
    """Yield the steps of a search in one sentence, until ended translations fill all places, or to the limit. A step's
    prefixes are the previous step's candidates that got a place and are not `</s>`, in their order."""
    prefixes, places = empty(model.network, memory), width
    totals, covered = np.zeros(1), np.zeros((1, memory.mask.shape[1]))
    for _ in range(limit(memory.mask.shape[1])):
        step, logits = advance(model.network, prefixes)
        weights, top = step.weights.numpy(force=True), likeliest(logits, max(width, LIKELIEST))
        covered = covered + weights
        tokens, log_probabilities = (column[:, :places] for column in top)
        grown = (totals[:, None] + log_probabilities).ravel()
        order = np.argsort(-grown, kind="stable")
        ranked = tokens.ravel()[order], log_probabilities.ravel()[order], grown[order]
        candidates = Candidates(weights, covered, *top, places, order // tokens.shape[1], *ranked)
        yield candidates
        going = candidates.tokens[:places] != STOP
        places -= len(going) - int(going.sum())
        if not places:
            return
        parents, tokens, totals = (
            column[: len(going)][going] for column in (candidates.parents, candidates.tokens, candidates.totals)
        )
        carried, covered = taken(step.carried, torch.from_numpy(parents)), covered[parents]
        prefixes = Prefixes(torch.from_numpy(tokens), carried, repeated(memory, len(tokens)))


def search(model: AnyModel, source: Encoding, settings: BeamSettings) -> list[Hypothesis]:
    """Return at most `width` translations, best first: those that ended, or the cut ones if none ended by the limit."""
    memory, (most,) = read(model, [source])
    reach = memory.mask[0].numpy(force=True)
    live: list[tuple[int, ...]] = [()]
    ended: list[Hypothesis] = []
    cut: list[Hypothesis] = []
    for step, candidates in enumerate(compete(model, memory, settings.width), start=1):
        both = (candidates.parents, candidates.tokens)
        parents, tokens = (column[: candidates.places].tolist() for column in both)
        grown = [(*live[parent], token) for parent, token in zip(parents, tokens, strict=True)]
        last = step == most
        if last or STOP in tokens:
            numbers = candidates.totals.tolist(), candidates.scores(settings, reach, step).tolist()
            rows = zip(grown, *numbers, strict=False)
            made = [Hypothesis(*row, "end" if row[0][-1] == STOP else "limit") for row in rows]
            ended += [hypothesis for hypothesis in made if hypothesis.stop == "end"]
            cut = made if last else []
        live = [ids for ids in grown if ids[-1] != STOP]
    return sorted(ended or cut, key=lambda hypothesis: hypothesis.score, reverse=True)


def translate(model: AnyPretrained[TraceT], sentences: Sequence[str], settings: BeamSettings) -> list[TraceT]:
    """Return a trace of the best translation of each sentence, in order."""
    sources = [encode(model, sentence) for sentence in sentences]
    best = [search(model, source, settings)[0] for source in sources]
    traces = force_ids(model, sources, [hypothesis.ids for hypothesis in best])
    return [replace(trace, stop=hypothesis.stop) for trace, hypothesis in zip(traces, best, strict=True)]


def write(model: AnyModel, sentences: Sequence[str], settings: BeamSettings, batch_size: int = BATCH) -> Iterator[str]:
    """Yield the translations alone, in normal form and in order; width 1 decodes greedily, in batches."""
    language = model.tokenizer.languages[1]
    if settings.width > 1:
        for sentence in sentences:
            yield normalise(model.tokenizer.decode(search(model, encode(model, sentence), settings)[0].ids), language)
        return
    for start in range(0, len(sentences), AHEAD * batch_size):
        written = write_greedily(model, sentences[start : start + AHEAD * batch_size], batch_size)
        yield from (normalise(text, language) for text in written)


def encode(model: AnyModel, sentence: str) -> Encoding:
    return model.tokenizer.encode(sentence, model.tokenizer.languages[0])


def likeliest(logits: Float[Tensor, "B V"], most: int) -> tuple[Int[ndarray, "B K"], Float[ndarray, "B K"]]:
    """Return the likeliest tokens, best first, and their log-probabilities; never `<pad>` or `<s>`."""
    top = logits[:, STOP:].topk(min(most, logits.shape[1] - STOP))
    normaliser = logits.logsumexp(1, keepdim=True)
    ids, values, normalisers = (tensor.numpy(force=True) for tensor in (top.indices, top.values, normaliser))
    return ids + STOP, values.astype(np.float64) - normalisers


def grow(model: AnyModel, text: str, settings: BeamSettings) -> BeamTree:
    """Run the whole search in one sentence, and greedy decoding. Raises ValueError if it is wider than DRAWN."""
    if settings.width > DRAWN:
        raise InputError(f"the width of the beam is {settings.width}; a tree is kept of at most {DRAWN}")
    source = encode(model, text)
    memory, _ = read(model, [source])
    tree, live = _root(model, source, memory, settings), [ROOT]
    for candidates in compete(model, memory, settings.width):
        first, nodes = len(tree.nodes), _competitors(model, tree, candidates, live)
        tree = _with_rows(model, tree, live, candidates.weights, candidates.top_ids, candidates.top_log_probabilities)
        competed = Round(candidates.places, len(nodes), bar=nodes[: candidates.places][-1].total)
        tree = replace(tree, nodes=(*tree.nodes, *nodes), rounds=(*tree.rounds, competed))
        live = [index for index, node in enumerate(nodes, start=first) if node.fate == "kept"]
    ended, cut = ([place for place, node in enumerate(tree.nodes) if node.fate == fate] for fate in ("ended", "cut"))
    hypotheses = tuple(sorted(ended or cut, key=lambda place: -tree.nodes[place].score))
    tree = finish(model, replace(tree, hypotheses=hypotheses), ROOT, "greedy")
    return replace(tree, greedy=tree.path(tree.onwards(ROOT)))


@torch.inference_mode()
def expand(model: AnyModel, tree: BeamTree, node: int) -> BeamTree:
    """Take one more decoder step: add the `width` likeliest continuations of a node, unless they exist."""
    if node not in tree.row_after:
        tree = _with_row(model, tree, node, next(_steps(model, tree, node)))
    return _with_children(tree, node, tree.settings.width, "by hand")


@torch.inference_mode()
def finish(model: AnyModel, tree: BeamTree, node: int, fate: str = "by hand") -> BeamTree:
    """Decode greedily from a node until `</s>` or the limit; `tree.onwards(node)` is the last node."""
    node = tree.onwards(node)
    if tree.done(node):
        return tree
    for decoded in _steps(model, tree, node):
        tree = _with_children(_with_row(model, tree, node, decoded), node, 1, fate)
        node = len(tree.nodes) - 1
        if tree.done(node):
            break
    return tree


def _root(model: AnyModel, source: Encoding, memory: AnyMemory, settings: BeamSettings) -> BeamTree:
    """Return a tree in which nothing has been decoded."""
    return BeamTree(
        maker=maker(model),
        settings=settings,
        source=sentence(model.tokenizer, source, model.tokenizer.languages[0], ended=True),
        source_ids=np.array((*source.ids, STOP)),
        reach=memory.mask[0].numpy(force=True).copy(),
        limit=limit(len(source.ids) + 1),
        nodes=(Node(-1, 0, START, CONTROL[START], 0.0, 0.0, 0.0, "kept", 0, -1),),
        rounds=(),
        hypotheses=(),
        greedy=(),
        expanded=(),
        weights=np.empty((0, len(source.ids) + 1), dtype=np.float32),
        top_ids=np.empty((0, min(LIKELIEST, model.config.vocabulary - STOP)), dtype=np.int64),
        top_tokens=(),
        top_log_probabilities=np.empty((0, min(LIKELIEST, model.config.vocabulary - STOP))),
    )


def _competitors(model: AnyModel, tree: BeamTree, candidates: Candidates, live: Sequence[int]) -> list[Node]:
    """Return the candidates of a step as nodes, likeliest first; `live` are their parents."""
    step, token = len(tree.rounds) + 1, model.tokenizer.token
    scores = candidates.scores(tree.settings, tree.reach, step)
    columns = (candidates.parents, candidates.tokens, candidates.log_probabilities, candidates.totals, scores)
    survives = "cut" if step == tree.limit else "kept"
    nodes = []
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for rank, (parent, index, log_probability, total, score) in enumerate(rows, start=1):
        fate = "pruned" if rank > candidates.places else "ended" if index == STOP else survives
        row = len(tree.expanded) + parent
        nodes.append(Node(live[parent], step, index, token(index), log_probability, total, score, fate, rank, row))
    return nodes


def _steps(model: AnyModel, tree: BeamTree, node: int) -> Iterator[Decoded]:
    """Yield the decoder steps that continue from a node, greedily; its prefix is fed again before them."""
    prefix = tree.ids(node)

    def choose(step: int, logits: Float[Tensor, "1 V"]) -> Int[Tensor, " 1"]:
        if step < len(prefix):
            return torch.tensor([prefix[step]])
        return torch.from_numpy(likeliest(logits, LIKELIEST)[0][:, 0])

    memory = model.network.encode(torch.tensor(tree.source_ids)[None])
    return islice(decoder_steps(model.network, memory, choose), len(prefix), None)


def _with_row(model: AnyModel, tree: BeamTree, node: int, decoded: Decoded) -> BeamTree:
    """Return the tree with a row for this node, from the decoder step that continued it."""
    weights = decoded.step.weights.numpy(force=True)
    return _with_rows(model, tree, [node], weights, *likeliest(decoded.logits, LIKELIEST))


def _with_rows(
    model: AnyModel,
    tree: BeamTree,
    nodes: Sequence[int],
    weights: Float[ndarray, "B S"],
    top_ids: Int[ndarray, "B K"],
    top: Float[ndarray, "B K"],
) -> BeamTree:
    tokens = tuple(tuple(model.tokenizer.token(index) for index in row) for row in top_ids.tolist())
    return replace(
        tree,
        expanded=(*tree.expanded, *nodes),
        weights=np.concatenate([tree.weights, weights]),
        top_ids=np.concatenate([tree.top_ids, top_ids]),
        top_tokens=(*tree.top_tokens, *tokens),
        top_log_probabilities=np.concatenate([tree.top_log_probabilities, top]),
    )


def _with_children(tree: BeamTree, node: int, most: int, fate: str) -> BeamTree:
    """Return the tree with the node's likeliest next tokens added as children, unless already there."""
    row, parent = tree.row_after[node], tree.nodes[node]
    known = {tree.nodes[child].token_id for child in tree.children(node)}
    step, logs = parent.step + 1, tree.top_log_probabilities[row, :most]
    totals = parent.total + logs
    covering = coverage_penalty(tree.covered(node) + tree.weights[row], tree.reach)
    columns = tree.top_ids[row, :most], logs, totals, tree.settings.score(totals, step, covering)
    rows = zip(tree.top_tokens[row], *(column.tolist() for column in columns), strict=False)
    added = [
        Node(node, step, index, token, log_probability, total, score, fate, 0, row)
        for token, index, log_probability, total, score in rows
        if index not in known
    ]
    return replace(tree, nodes=(*tree.nodes, *added))
