"""Edits of a beam search: prefixes that a visitor expands, and prefixes from which greedy decoding continues.

A page's link carries them as text, such as 417.2031~417.88g: the token ids of each prefix, and g for greedy
continuation. Such text is untrusted: entries that do not fit the tree are dropped.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from regard.model.decoding.beam_tree import ROOT, BeamTree

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
