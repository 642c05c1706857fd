"""Symmetrisation: combine the links of two directions by grow-diag-final-and.

Koehn, Och and Marcu (2003), Koehn et al. (2005).

    intersection: links that both directions have
    grow-diag:    add a link of either direction next to an existing one, also diagonally, if one of its words has none
    final-and:    then add a link of either direction if both its words have none

Forward links are tried before reverse ones, each in the order of source and target.
"""

from collections.abc import Collection

from regard.model.word_alignment.alignment_error_rate import Link

NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def intersection(forward: Collection[Link], reverse: Collection[Link]) -> set[Link]:
    return set(forward) & set(reverse)


def grow_diag_final_and(forward: Collection[Link], reverse: Collection[Link]) -> set[Link]:
    links = _grow_diag(intersection(forward, reverse), set(forward) | set(reverse))
    for direction in (forward, reverse):
        for source, target in sorted(direction):
            if not _linked(source, 0, links) and not _linked(target, 1, links):
                links.add((source, target))
    return links


def _grow_diag(links: set[Link], union: set[Link]) -> set[Link]:
    """Add neighbours until nothing more can be added."""
    grown = set(links)
    while True:
        before = len(grown)
        for source, target in sorted(grown):
            for down, right in NEIGHBOURS:
                link = (source + down, target + right)
                lonely = not _linked(link[0], 0, grown) or not _linked(link[1], 1, grown)
                if link in union and lonely:
                    grown.add(link)
        if len(grown) == before:
            return grown


def _linked(word: int, side: int, links: Collection[Link]) -> bool:
    return any(link[side] == word for link in links)
