"""Interventions of every kind, drawn for property tests."""

from typing import Any

from hypothesis import strategies as st

SMALL = st.integers(0, 30)
WORDS = st.text("abc é'", min_size=1).filter(str.strip)
ROWS = st.lists(st.integers(0, 20), min_size=1, max_size=8).filter(any)


def row(parts: list[int]) -> tuple[float, ...]:
    return tuple(part / sum(parts) for part in parts)


VALUES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "words": st.dictionaries(SMALL, WORDS).map(lambda found: tuple(found.items())),
        "tokens": st.dictionaries(SMALL, SMALL).map(lambda found: tuple(found.items())),
        "weights": st.dictionaries(SMALL, ROWS.map(row)).map(lambda found: tuple(found.items())),
        "hidden": st.sets(SMALL).map(tuple),
        "bonus": st.dictionaries(st.tuples(SMALL, SMALL), st.floats(-9, 9)).map(
            lambda found: tuple((*place, value) for place, value in found.items())
        ),
        "temperature": st.floats(0.1, 9),
    }
)

PLACES = st.tuples(st.sampled_from(["encoder", "decoder", "cross"]), st.integers(0, 3), st.integers(0, 3))


@st.composite
def head_edits(draw: st.DrawFn) -> dict[str, Any]:
    """Heads that are switched off and rows of others that are given."""
    off, given = draw(st.sets(PLACES)), draw(st.dictionaries(st.tuples(PLACES, SMALL), ROWS.map(row)))
    rows = tuple((*head, number, weights) for (head, number), weights in given.items() if head not in off)
    return {"heads_off": tuple(off), "head_weights": rows}
