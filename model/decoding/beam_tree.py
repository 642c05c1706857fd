"""Beam tree, a search kept as a value: every candidate it considered, what became of it and why. NumPy only.

A node is one token in its place, so it stands for the prefix of a translation that ends with it. The nodes come in the
order in which they were made: those of the search step by step, those by which greedy decoding goes on alone, and those
that a person adds. A row is one decoder step from one prefix: where it looked, and the likeliest next tokens.
`regard.model.decoding.beam_expand` makes them.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from regard.model.alignment import Sentence
from regard.model.decoding.beam_score import BeamSettings
from regard.model.read_only import freeze
from regard.model.tokenizer import BYTES, CONTROL, STOP
from regard.model.trace import Maker

ROOT = 0  # the index of `<s>`
FATES = (
    "kept",  # among the likeliest of its step, and expanded in the next
    "pruned",  # considered, and not among the likeliest of its step
    "ended",  # among the likeliest and `</s>`: a translation, set aside; its place is not filled again
    "cut",  # among the likeliest when the search reached the limit of tokens
    "greedy",  # greedy decoding goes on from a node that the beam has pruned
    "by hand",  # a person asked for it
)


@dataclass(frozen=True)
class Node:
    """A token in its place. Logarithms are natural."""

    parent: int  # an index; -1 for the root, which is `<s>` and counts as kept
    step: int  # which token of the translation it is, from 1; 0 for the root
    token_id: int
    token: str
    log_probability: float  # of the token, given those before it
    total: float  # log-probability of the whole prefix: what the candidates of a step are ranked by
    score: float  # of the whole prefix by equation 14 (`BeamSettings.score`): what ended translations are ranked by
    fate: str  # one of FATES
    rank: int  # by total among the candidates of its step, from 1; 0 where it did not compete (greedy, by hand, root)
    row: int  # the recorded row that produced it, shared with its siblings; -1 for the root

    @property
    def ends(self) -> bool:
        """Whether it is `</s>`, after which nothing comes."""
        return self.token_id == STOP


@dataclass(frozen=True)
class Round:
    """One step of the search. A pruned node missed its place by `bar - node.total`."""

    places: int  # the width, less the translations that had ended before
    candidates: int  # that competed for them
    bar: float  # the total of the last one that got a place


@dataclass(frozen=True)
class Parting:
    """Where the greedy path and the best path of the beam part; `BeamTree.nodes` has the totals and scores of all."""

    step: int
    greedy: int  # node of this step on the greedy path
    best: int  # and on the best path of the beam, its sibling
    greedy_end: int  # last node of the greedy path
    best_end: int  # last node of the best path of the beam
    dropped: int | None  # node of the greedy path that the beam pruned; None where it kept all of them


@dataclass(frozen=True, eq=False)
class BeamTree:
    """Node 0 is the root, `<s>`. R rows, one for each node that was expanded; arrays are read-only.

    `hypotheses` are the last nodes of the translations that ended, best score first, or of those that were cut where
    none ended; nodes by hand are not among them. `greedy` is the path of greedy decoding, the root left out.
    """

    maker: Maker
    settings: BeamSettings
    source: Sentence
    source_ids: Int[ndarray, " S"]
    reach: Bool[ndarray, " S"]  # true where the model may look
    limit: int  # tokens that a translation may have
    nodes: tuple[Node, ...]
    rounds: tuple[Round, ...]  # rounds[step - 1]
    hypotheses: tuple[int, ...]
    greedy: tuple[int, ...]
    expanded: tuple[int, ...]  # for each row, the node that it goes on from
    weights: Float[ndarray, "R S"]
    top_ids: Int[ndarray, "R K"]  # likeliest next tokens, best first; `<pad>` and `<s>`, never taken, are left out
    top_tokens: tuple[tuple[str, ...], ...]
    top_log_probabilities: Float[ndarray, "R K"]

    def __post_init__(self) -> None:
        freeze(self)

    def path(self, node: int) -> tuple[int, ...]:
        """The nodes from the first token to this one; the root is left out."""
        nodes = []
        while node != ROOT:
            nodes.append(node)
            node = self.nodes[node].parent
        return tuple(reversed(nodes))

    def ids(self, node: int) -> tuple[int, ...]:
        """The token ids of its prefix, as `regard.model.translate.force_ids` takes them."""
        return tuple(self.nodes[index].token_id for index in self.path(node))

    def text(self, node: int) -> str:
        """Its prefix as a person reads it; the same that the tokenizer decodes."""
        first, last = len(CONTROL), len(CONTROL) + len(BYTES)
        spoken = [self.nodes[index] for index in self.path(node) if self.nodes[index].token_id >= first]
        pieces = (bytes([one.token_id - first]) if one.token_id < last else one.token.encode() for one in spoken)
        return b"".join(pieces).decode(errors="replace").removeprefix(" ")

    def children(self, node: int) -> tuple[int, ...]:
        """Its continuations in the tree, likeliest first."""
        return self._children[node]

    def covered(self, node: int) -> Float[ndarray, " S"]:
        """Σ_t α_ti: the attention that each source token got while its prefix was written."""
        rows = [self.nodes[index].row for index in self.path(node)]
        return self.weights[rows].sum(0, dtype=np.float64)

    def onwards(self, node: int) -> int:
        """The node that greedy decoding from this one leads to, as far as the tree knows."""
        while self.children(node):
            node = self.children(node)[0]
        return node

    def done(self, node: int) -> bool:
        """Whether decoding stops there: after `</s>`, or at the limit."""
        return self.nodes[node].ends or self.nodes[node].step >= self.limit

    @cached_property
    def row_after(self) -> dict[int, int]:
        """For each node that was expanded, its row; `Node.row` is that of the step before, which produced the node."""
        return {node: row for row, node in enumerate(self.expanded)}

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The path of the best hypothesis."""
        return self.path(self.hypotheses[0])

    @cached_property
    def parting(self) -> Parting | None:
        """The first step where greedy decoding and the best of the beam differ; None where they never do."""
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
