"""Beam tree, a search kept as a value: every candidate considered, its fate and the reason. NumPy only.

A node is one token in its place, so it stands for the prefix that ends with it. Nodes are in order of creation: the
search's, step by step, those of greedy decoding beyond the beam, and those added by a person. A row is one decoder step
from one prefix: its attention and its likeliest next tokens. `regard.model.decoding.beam` builds trees.

Which translation is best? Wu et al. (2016), section 7, equation 14:

    s(Y, X) = log P(Y | X) / lp(Y) + cp(X; Y)
    lp(Y)   = (5 + |Y|)^α / (5 + 1)^α              length penalty: α = 0 compares plain log-probabilities
    cp(X; Y) = β Σ_i log(min(Σ_t α_ti, 1))         coverage penalty: β = 0 leaves it out

|Y| counts `</s>`. Position i runs over the source tokens that the model may attend to, `</s>` included: a masked one
can never be covered. A source token's total weight counts as `LEAST` at the minimum, because log 0 would exclude the
translation whatever its other terms.

A page's link carries the prefixes that a visitor expanded, or continued greedily, as text such as 417.2031~417.88g: the
token ids of each, and g for greedy. Such text is untrusted: entries that do not fit the tree are dropped.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from regard.model.alignment import Sentence
from regard.model.input_error import InputError
from regard.model.tokenizer import BYTES, CONTROL, STOP
from regard.model.trace import Maker
from regard.model.values import ReadOnly

ALPHA = 0.6  # default length normalisation
WIDEST = 100
STRONGEST = 2.0  # for either penalty; Wu et al. try 0 to 1
LEAST = 1e-6  # least attention counted for a source token


@dataclass(frozen=True)
class BeamSettings:
    """The settings of a beam search. Raises InputError naming the one that is out of range."""

    width: int = 5
    alpha: float = ALPHA  # α, length normalisation
    coverage: float = 0.0  # β, coverage penalty

    def __post_init__(self) -> None:
        if not 1 <= self.width <= WIDEST:
            raise InputError(f"the width of the beam is {self.width}; it must be from 1 to {WIDEST}")
        if not 0 <= self.alpha <= STRONGEST:
            raise InputError(f"alpha, the length normalisation, is {self.alpha}; it must be from 0 to {STRONGEST:g}")
        if not 0 <= self.coverage <= STRONGEST:
            raise InputError(f"the coverage penalty is {self.coverage}; it must be from 0 to {STRONGEST:g}")

    def score(
        self, log_probability: Float[ndarray, "*#N"] | float, length: int, covering: Float[ndarray, "*#N"] | float
    ) -> Float[ndarray, "*#N"]:
        """Return s(Y, X) for translations of one length; `covering` is each one's `coverage_penalty`, without β."""
        normalised = np.asarray(log_probability) / length_penalty(length, self.alpha)
        return np.asarray(normalised + self.coverage * np.asarray(covering))


def length_penalty(length: int, alpha: float = ALPHA) -> float:
    return ((5 + length) / 6) ** alpha


def coverage_penalty(covered: Float[ndarray, "*N S"], reach: Bool[ndarray, " S"]) -> Float[ndarray, "*N"]:
    """Return cp(X; Y) for β = 1; `covered` is Σ_t α_ti for each source token, `reach` where the model may attend."""
    return np.asarray(np.log(np.clip(covered[..., reach].astype(np.float64), LEAST, 1)).sum(-1))


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

    @property
    def parting(self) -> tuple[int, int] | None:
        """The first nodes in which the greedy path and the best one differ, or None if they never do."""
        return next((pair for pair in zip(self.greedy, self.best, strict=False) if pair[0] != pair[1]), None)

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes[1:], start=1):
            children[node.parent].append(index)
        return tuple(tuple(sorted(each, key=lambda index: -self.nodes[index].log_probability)) for each in children)


MOST_PREFIXES = 40  # prefixes in one link
LONGEST_TEXT = 4000  # characters of the list in a link
_ENTRY = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,7}){0,255})(g?)")


class AddedPrefix(NamedTuple):
    """A prefix, by the `ids` of its tokens; `greedy` continues from it to the end, otherwise for one step."""

    ids: tuple[int, ...]
    greedy: bool


class Added(NamedTuple):
    """A tree with its additions, and the nodes they were added to."""

    tree: BeamTree
    entries: tuple[tuple[int, AddedPrefix], ...]


def read(text: str) -> tuple[AddedPrefix, ...]:
    """Return the entries of a link in order, without repetitions."""
    parts = (_ENTRY.fullmatch(part) for part in text[:LONGEST_TEXT].split("~"))
    entries = (AddedPrefix(tuple(map(int, match[1].split("."))), bool(match[2])) for match in parts if match)
    return tuple(dict.fromkeys(entries))[:MOST_PREFIXES]


def written(entries: Sequence[AddedPrefix]) -> str:
    """Return the entries as text for a link."""
    return "~".join(".".join(map(str, ids)) + "g" * greedy for ids, greedy in entries)


def node_of(tree: BeamTree, ids: Sequence[int]) -> int | None:
    """Return the node of a prefix, or None if the tree has none."""
    node = ROOT
    for token in ids:
        children = [child for child in tree.children(node) if tree.nodes[child].token_id == token]
        if not children:
            return None
        node = children[0]
    return node


def add(
    tree: BeamTree,
    entries: Sequence[AddedPrefix],
    expand: Callable[[BeamTree, int], BeamTree],
    finish: Callable[[BeamTree, int], BeamTree],
) -> Added:
    """Add the entries in order; those whose prefix is not in the tree by then or cannot continue are skipped."""
    added = []
    for entry in entries:
        node = node_of(tree, entry.ids)
        if node is not None and not tree.done(node):
            tree = (finish if entry.greedy else expand)(tree, node)
            added.append((node, entry))
    return Added(tree, tuple(added))
