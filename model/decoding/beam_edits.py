"""Edits of a beam search: prefixes that a visitor expands, and prefixes from which greedy decoding is to go on.

A page's link carries them as text, such as 417.2031~417.88g: the token ids of each prefix, and g where it is to go on
greedily. Such text is from a stranger: what does not fit the tree is left out.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from regard.model.decoding.beam_tree import ROOT, BeamTree

MOST = 40  # prefixes in one link
LONGEST_TEXT = 4000  # characters of it
_ENTRY = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,7}){0,255})(g?)")


class AddedPrefix(NamedTuple):
    """`ids` are those of the tokens of a prefix; `greedy` goes on from it to the end, otherwise one step."""

    ids: tuple[int, ...]
    greedy: bool


class Added(NamedTuple):
    """A tree with what was added to it, and the nodes that it was added to."""

    tree: BeamTree
    entries: tuple[tuple[int, AddedPrefix], ...]


def read(text: str) -> tuple[AddedPrefix, ...]:
    """The entries of a link, each once, in their order."""
    parts = (_ENTRY.fullmatch(part) for part in text[:LONGEST_TEXT].split("~"))
    entries = (AddedPrefix(tuple(map(int, match[1].split("."))), bool(match[2])) for match in parts if match)
    return tuple(dict.fromkeys(entries))[:MOST]


def written(entries: Sequence[AddedPrefix]) -> str:
    """The same as text."""
    return "~".join(".".join(map(str, ids)) + "g" * greedy for ids, greedy in entries)


def node_of(tree: BeamTree, ids: Sequence[int]) -> int | None:
    """The node of a prefix, None where the tree has none."""
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
    """Add in their order those entries whose prefix is in the tree by then and can go on."""
    added = []
    for entry in entries:
        node = node_of(tree, entry.ids)
        if node is not None and not tree.done(node):
            tree = (finish if entry.greedy else expand)(tree, node)
            added.append((node, entry))
    return Added(tree, tuple(added))
