"""A PyTorch module that fails silently and its repaired version, both run on the same numbers."""

import inspect
from collections.abc import Collection, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from regard.app.components.matrices.sums import difference_bound
from regard.app.figures.heatmap import signed
from regard.app.theme import component, percent
from regard.app.ui.widgets import segments, select, table
from regard.app.worked_example.study import source
from regard.model.examples.pytorch_module import (
    EntryByEntry,
    GeneralAttention,
    Trial,
    compare,
    distance,
    gradients,
    outcome,
    scores,
    trial,
    weights,
)

NAME = 18  # least characters of a row's name before it is broken


class GridRow(NamedTuple):
    """A row of the grid: its name, the text of its cells, and the colour strength of each, from 0 to 1."""

    name: str
    cells: Sequence[str]
    shares: Sequence[float]
    outlined: Collection[int] = ()  # places of cells
    ruled: bool = False  # set off from the lines above, as a result is


def weighed(caption: str, columns: Sequence[str], rows: Sequence[GridRow]) -> None:
    """Draw it with a caption; it scrolls where the page is narrower."""
    heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    lines = "".join(_line(row) for row in rows)
    name = min(NAME, max(len(row.name) for row in rows))
    caption = escape(caption)
    st.html(
        f'<div class="weighed" role="region" tabindex="0" aria-label="{caption}"><table style="--name: {name}ch">'
        f"<caption>{caption}</caption><thead><tr><td></td>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _line(row: GridRow) -> str:
    cells = "".join(
        f'<td style="--share: {share:.3f}"{" class=outlined" * (place in row.outlined)}>{escape(text)}</td>'
        for place, (text, share) in enumerate(zip(row.cells, row.shares, strict=True))
    )
    return f'<tr{" class=ruled" * row.ruled}><th scope="row">{escape(row.name)}</th>{cells}</tr>'


POSITIONS = range(3, 9)
SIZES = (2, 4, 8, 16, 64, 256)
FIRST = 5, 4, 0  # positions, size and seed at first; the tutorial's example has five positions
SEEDS = 9999  # the greatest
AS_PRINTED = Path(__file__).with_name("tutorial_module.txt")
TUTORIALS, REPAIRED = "The tutorial's module", "Repaired"


@st.fragment
def repaired(key: str) -> None:
    """Draw both modules and their differences; `key` is unique on the page."""
    _sources()
    trial_shown = _choose(key)
    _unused(trial_shown)
    _queries(trial_shown)
    _weights(trial_shown, key)


def _sources() -> None:
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{TUTORIALS}**, in our own code that does the same")
        source(inspect.getsource(EntryByEntry))
        st.markdown(
            "W is declared and never used, so the score is the dot product, as the tutorial's comment says; what "
            "Luong, and this app, call the general score would use W. If the query has several steps, each position "
            "meets a different step."
        )
        with st.expander("The tutorial's own code"):
            source(AS_PRINTED.read_text(encoding="utf-8"))
    with right:
        st.markdown(f"**{REPAIRED}**: W is used, and one query meets every position")
        source(inspect.getsource(GeneralAttention))


def _choose(key: str) -> Trial:
    """Draw the choice of sizes and return both modules run on random numbers of these sizes."""
    positions, size, seed = FIRST
    st.header("Both on the same numbers")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        positions = select("Positions", POSITIONS, positions, f"{key}_positions", width=120)
        about = "The tutorial's example has 256."
        size = select("Numbers in a vector", SIZES, size, f"{key}_size", about, width=180)
        seed = st.number_input(
            "Seed",
            0,
            SEEDS,
            value=seed,
            key=f"{key}_seed",
            bind="query-params",
            width=140,
            help="Queries, annotations and W are sampled with it from a normal distribution. They are not learned.",
        )
    return trial(positions, size, seed)


def _unused(trial: Trial) -> None:
    """Draw the evidence that one layer gets no gradient and changes nothing."""
    st.markdown(
        "**An unused layer.** Autograd finds no path from the result back to the tutorial's W: its "
        "gradient is `None`. Training never changes it, and doubling it changes no weight."
    )
    rows = []
    for name, module, query in (
        (TUTORIALS, trial.tutorials, trial.queries),
        (f"{REPAIRED}, step 1", trial.repaired, trial.queries[:, 0]),
    ):
        once, twice = (weights(module, query, trial.annotations, factor) for factor in (1.0, 2.0))
        rows += [
            {
                "Module": name,
                "Parameter": parameter,
                "Gradient": "None" if length is None else f"length {component(length)}",
                "Weights": " · ".join(map(percent, once)),
                "Weights with all parameters doubled": " · ".join(map(percent, twice)),
            }
            for parameter, length in gradients(module, query, trial.annotations).items()
        ]
    table(rows, "Gradients, and weights before and after all parameters were doubled")


def _queries(trial: Trial) -> None:
    """Draw the results of both modules for one query, for one too few, and for as many as there are positions."""
    positions = trial.annotations.shape[1]
    st.markdown(
        f"**Queries of 1, {positions - 1} and {positions} steps.** A query with as many steps as there are positions "
        "fits by accident: one context comes out, of the same shape as for a single step, and no error. Any other "
        "number raises an error in PyTorch. The repaired module takes one step at a time, and says so."
    )
    rows = []
    for steps in (1, positions - 1, positions):
        queries = trial.queries[:, :steps]
        rows.append(
            {
                "Query": f"{steps}\u00a0step{'' if steps == 1 else 's'}",
                TUTORIALS: outcome(trial.tutorials, queries, trial.annotations),
                f"{REPAIRED}, all at once": outcome(trial.repaired, queries, trial.annotations),
                f"{REPAIRED}, step by step": (f"{steps} × {outcome(trial.repaired, queries[:, 0], trial.annotations)}"),
            }
        )
    table(rows, "What each module makes of queries with several steps")


def _weights(trial: Trial, key: str) -> None:
    """Draw the weights of one step by both modules, and the scores they come from."""
    positions = range(trial.annotations.shape[1])
    st.markdown(
        "**What the positions weigh.** With as many queries as positions, the tutorial's module computes only the "
        "outlined scores, one from each query, and its weights belong to no step of the decoder."
    )
    step = segments("Step", {place: f"Step {place + 1}" for place in positions}, 0, f"{key}_step")
    columns = [f"h{place + 1}" for place in positions]
    made = compare(trial, step)
    left, right = st.columns(2)
    with left:
        grid = scores(trial)
        weighed(
            "Dot scores of each query with each position",
            columns,
            [
                GridRow(f"q{row + 1}", list(map(component, grid[row])), [0.5 * (row == step)] * len(grid), {row})
                for row in positions
            ],
        )
    with right:
        shown = (
            (f"{TUTORIALS}, all {len(positions)} queries at once", made.at_once),
            (f"{TUTORIALS}, query {step + 1} alone: dot", made.alone),
            (f"{REPAIRED}, query {step + 1}: general", made.repaired),
        )
        rows = [GridRow(name, list(map(percent, one)), one.tolist()) for name, one in shown]
        less = [signed(100 * float(points)) for points in made.repaired - made.at_once]
        weighed(
            f"Weights at step {step + 1}",
            columns,
            [*rows, GridRow("Third column minus first, in points", less, [0.0] * len(less), ruled=True)],
        )
    st.markdown(
        f"NumPy, with the functions that recompute the translations here, gets the same for all {len(positions)} "
        f"steps as the repaired module: weights and numbers of contexts differ {difference_bound(distance(trial))}."
    )
