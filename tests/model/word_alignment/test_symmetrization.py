from hypothesis import given
from hypothesis import strategies as st

from regard.model.word_alignment.baselines import grow_diag_final_and, intersection

LINKS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)))


def test_links_grow_from_what_both_have_and_lonely_words_are_linked_at_last() -> None:
    forward = [(0, 0), (1, 1), (1, 2), (4, 4), (4, 0)]
    reverse = [(0, 0), (2, 1), (4, 3)]
    assert intersection(forward, reverse) == {(0, 0)}
    # (1, 1) and then (1, 2) and (2, 1) are neighbours, each of a word that has no link yet. (4, 0) is none, and its
    # target word is taken; (4, 4) is far from all, but both its words are free; then (4, 3) comes too late for word 4
    assert grow_diag_final_and(forward, reverse) == {(0, 0), (1, 1), (1, 2), (2, 1), (4, 4)}


def test_a_neighbour_whose_words_are_both_linked_is_not_added() -> None:
    both = [(0, 0), (1, 1)]
    assert grow_diag_final_and([*both, (0, 1)], both) == set(both)


@given(forward=LINKS, reverse=LINKS)
def test_they_lie_between_the_intersection_and_the_union(
    forward: set[tuple[int, int]], reverse: set[tuple[int, int]]
) -> None:
    found = grow_diag_final_and(forward, reverse)
    assert intersection(forward, reverse) <= found <= forward | reverse
    assert grow_diag_final_and(forward, forward) == forward
    sources, targets = ({link[side] for link in found} for side in (0, 1))
    assert all(source in sources or target in targets for source, target in forward | reverse)  # final
