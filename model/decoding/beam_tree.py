"""Beam tree, a search kept as a value: every candidate considered, its fate and the reason. NumPy only.

A node is one token in its place, so it stands for the prefix that ends with it. Nodes are in order of creation: the
search's, step by step, those of greedy decoding beyond the beam, and those added by a person. A row is one decoder step
from one prefix: its attention and its likeliest next tokens. `regard.model.decoding.beam_expand` builds trees.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from regard.model.alignment import Sentence
from regard.model.decoding.beam_score import BeamSettings
from regard.model.tokenizer import BYTES, CONTROL, STOP
from regard.model.trace import Maker
from regard.model.values import ReadOnly

ROOT = 0  # the index of `<s>`
FATES = (
    "kept",  # among the likeliest of its step, expanded in the next
    "pruned",  # considered, but not among the likeliest of its step
    "ended",  # among the likeliest and `</s>`: a translation, set aside; its place is not refilled
    "cut",  # among the likeliest when the search reached the limit of tokens
    "greedy",  # on the greedy path beyond a node that the beam pruned
    "by hand",  # added by a person
)


@dataclass(frozen=True)
class Node:
    """A token in its place. Logarithms are natural."""

    parent: int  # an index; -1 for the root, which is `<s>` and counts as kept
    step: int  # position in the translation, from 1; 0 for the root
    token_id: int
    token: str
    log_probability: float  # of the token, given those before it
    total: float  # log-probability of the whole prefix, by which the candidates of a step are ranked
    score: float  # of the whole prefix by equation 14 (`BeamSettings.score`), by which ended translations are ranked
    fate: str  # one of FATES
    rank: int  # by total among the candidates of its step, from 1; 0 if it did not compete (greedy, by hand, root)
    row: int  # the recorded row that produced it, shared with its siblings; -1 for the root

    @property
    def ends(self) -> bool:
        """True for `</s>`, after which nothing follows."""
        return self.token_id == STOP


@dataclass(frozen=True)
class Round:
    """One step of the search. A pruned node missed its place by `bar - node.total`."""

    places: int  # the width, less the translations that ended before
    candidates: int  # competing for the places
    bar: float  # the total of the last candidate that got a place


@dataclass(frozen=True)
class Parting:
    """The step where the greedy path and the beam's best path part; `BeamTree.nodes` has all totals and scores."""

    step: int
    greedy: int  # this step's node on the greedy path
    best: int  # its sibling on the best path of the beam
    greedy_end: int  # last node of the greedy path
    best_end: int  # last node of the best path of the beam
    dropped: int | None  # first greedy node that the beam pruned; None if it kept them all


@dataclass(frozen=True, eq=False)
class BeamTree(ReadOnly):
    """A beam search as a tree. Node 0 is the root, `<s>`; R rows, one per expanded node; arrays are read-only.
    `hypotheses` are the last nodes of the translations that ended, best score first, or of the cut ones if none ended,
    without nodes added by hand. `greedy` is the path of greedy decoding, without the root."""

    maker: Maker
    settings: BeamSettings
    source: Sentence
    source_ids: Int[ndarray, " S"]
    reach: Bool[ndarray, " S"]  # true where the model may attend
    limit: int  # most tokens of a translation
    nodes: tuple[Node, ...]
    rounds: tuple[Round, ...]  # rounds[step - 1]
    hypotheses: tuple[int, ...]
    greedy: tuple[int, ...]
    expanded: tuple[int, ...]  # for each row, the node it continues
    weights: Float[ndarray, "R S"]
    top_ids: Int[ndarray, "R K"]  # likeliest next tokens, best first; without `<pad>` and `<s>`, which are never chosen
    top_tokens: tuple[tuple[str, ...], ...]
    top_log_probabilities: Float[ndarray, "R K"]

    def path(self, node: int) -> tuple[int, ...]:
        """Return the nodes from the first token to this one, without the root."""
        nodes = []
        while node != ROOT:
            nodes.append(node)
            node = self.nodes[node].parent
        return tuple(reversed(nodes))

    def ids(self, node: int) -> tuple[int, ...]:
        """Return the token ids of a node's prefix, as `regard.model.translate.force_ids` takes them."""
        return tuple(self.nodes[index].token_id for index in self.path(node))

    def text(self, node: int) -> str:
        """Return a node's prefix as text, equal to what the tokenizer decodes."""
        first, last = len(CONTROL), len(CONTROL) + len(BYTES)
        spoken = [self.nodes[index] for index in self.path(node) if self.nodes[index].token_id >= first]
        pieces = (bytes([one.token_id - first]) if one.token_id < last else one.token.encode() for one in spoken)
        return b"".join(pieces).decode(errors="replace").removeprefix(" ")

    def children(self, node: int) -> tuple[int, ...]:
        """Return a node's continuations in the tree, likeliest first."""
        return self._children[node]

    def covered(self, node: int) -> Float[ndarray, " S"]:
        """Return Σ_t α_ti: the attention each source token got while the node's prefix was written."""
        rows = [self.nodes[index].row for index in self.path(node)]
        return self.weights[rows].sum(0, dtype=np.float64)

    def onwards(self, node: int) -> int:
        """Return the last node in the tree that greedy decoding reaches from this one."""
        while self.children(node):
            node = self.children(node)[0]
        return node

    def done(self, node: int) -> bool:
        """True if decoding stops at this node: after `</s>`, or at the limit."""
        return self.nodes[node].ends or self.nodes[node].step >= self.limit

    @cached_property
    def row_after(self) -> dict[int, int]:
        """The row of each expanded node; `Node.row` is the row of the step before, which produced the node."""
        return {node: row for row, node in enumerate(self.expanded)}

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The path of the best hypothesis."""
        return self.path(self.hypotheses[0])

    @cached_property
    def parting(self) -> Parting | None:
        """The first step where greedy decoding and the beam's best differ, or None if they never do."""
        for step, (greedy, best) in enumerate(zip(self.greedy, self.best, strict=False), start=1):
            if greedy != best:
                dropped = next((index for index in self.greedy if self.nodes[index].fate == "pruned"), None)
                return Parting(step, greedy, best, self.greedy[-1], self.best[-1], dropped)
        return None

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes[1:], start=1):
            children[node.parent].append(index)
        return tuple(tuple(sorted(each, key=lambda index: -self.nodes[index].log_probability)) for each in children)
