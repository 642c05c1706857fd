"""The ideas on the way from Luong's attention to the Transformer's: each in words, as a picture of its weights, and in
numbers of a trained model that open; and the kinds of attention in one table.
"""

from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from regard.app.figures.heatmap import weight_matrix
from regard.app.glossary.terms import definitions
from regard.app.models.models import title
from regard.app.models.registry import languages
from regard.app.models.traces import transformer, transformer_beside, transformer_parameters, transformer_trace
from regard.app.theme import percent
from regard.app.ui.plots import plot
from regard.app.ui.widgets import ScreenHead, question_fields, segments, select
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import question_or_stop
from regard.app.wording import between, plain_markdown
from regard.app.worked_example.study import steps
from regard.model.alignment import WordWeights
from regard.model.config import Config
from regard.model.examples.operations import Values
from regard.model.examples.trained_attention import (
    COLUMNS,
    ROWS,
    SHOWN,
    HeadPlace,
    Worked,
    head_input,
    padded_head_input,
    worked_head,
    worked_layer,
)
from regard.model.files import toml_beside
from regard.model.synthetic.tasks import Numbers, written
from regard.model.transformer.trace import TransformerTrace

SYMBOLS = 10
EXAMPLE = "3 1 4 1 5 9"
LONGEST_SEQUENCE = 15
MISSING = (
    "No readable Transformer is available. `regard practise --network transformer` trains one that "
    "reverses numbers, and `regard train --network transformer` one that translates."
)
MASKS = {"causal": "what comes later", "padding": "padding", "none": "nothing"}
SMALL = {  # the same idea on matrices small enough to change by hand
    "cross": "cross-attention",
    "self": "self-attention",
    "scaling": "scaled",
    "masks": "masked",
    "heads": "heads",
}
PARTS: dict[str, dict[str, Any]] = toml_beside(__file__, "parts.toml")


def introduce(name: str) -> None:
    """Show what a part is about, and if each of the three moves stays or changes."""
    part = PARTS[name]
    st.markdown(part["lead"])
    cells = "".join(
        f'<div class="{"changes" if what == "changes" else "stays"}"><dt>{move.capitalize()} '
        f"<span>{escape(what)}</span></dt><dd>{escape(text)}</dd></div>"
        for move in ("compare", "weigh", "sum")
        for what, text in [part[move]]
    )
    st.html(f'<dl class="moves">{cells}</dl>')


def choose_sequence() -> Numbers:
    """Return the visitor's numbers; if they cannot be read, say so and use the example."""
    label = f"Up to {LONGEST_SEQUENCE} numbers from 0 to {SYMBOLS - 1}"
    text = (st.text_input(label, EXAMPLE, key="sequence", bind="query-params") or "").strip()
    numbers = read(text)
    if not numbers:
        wrong = (
            f"“{plain_markdown(text[:60])}” is not a sequence that these models know." if text else "Nothing is typed."
        )
        st.error(
            f"{wrong} Type 1 to {LONGEST_SEQUENCE} numbers from 0 to {SYMBOLS - 1} separated by spaces, such as "
            f"{EXAMPLE}. That one is shown."
        )
    return numbers or read(EXAMPLE)


def read(text: str) -> Numbers:
    """Return the numbers of a text; none if it holds anything else, or too many."""
    words = text.split()
    known = {str(number): number for number in range(SYMBOLS)}
    fits = 1 <= len(words) <= LONGEST_SEQUENCE and all(word in known for word in words)
    return tuple(known[word] for word in words) if fits else ()


def reordered(numbers: Numbers) -> tuple[Numbers, ...]:
    """Return the same numbers in other orders: backwards, and by size."""
    orders = (numbers[::-1], tuple(sorted(numbers)))
    return tuple(dict.fromkeys(order for order in orders if order != numbers))


def subject_or_stop(top: ScreenHead, asked: Question) -> TransformerTrace:
    """Trace the visitor's sentence, by a Transformer with its languages or else one that reverses numbers."""
    name = transformer_beside(asked.model)
    if not name:
        st.info(MISSING)
        st.stop()
    model = transformer(name)
    if languages(name) == languages(asked.model):
        question_fields(top, model)
        question = question_or_stop(asked, model)
        trace = transformer_trace(name, question.sentence, question.given)
    else:
        pair = languages(asked.model)
        wanted = f" that translates {between(pair)}" if pair else ""
        st.info(f"No Transformer{wanted} is available. This is “{plain_markdown(title(name))}”, on your own numbers.")
        trace = transformer_trace(name, written(choose_sequence()))
    if max(len(trace.source), len(trace.target)) > COLUMNS:
        st.info(
            f"These steps are drawn for up to {COLUMNS} tokens; this sentence and its translation have "
            f"{len(trace.source)} and {len(trace.target)}. Type a shorter sentence."
        )
        st.stop()
    return trace


def choose_place(top: ScreenHead, trace: TransformerTrace, attention: str, of_head: bool) -> HeadPlace:
    """Choose a layer, a head unless the numbers are of all, and the components of the vectors."""
    layers, heads = trace.attention(attention).weights.shape[:2]
    firsts = range(0, trace.annotations.shape[1], SHOWN)
    with top.options:
        layer = select("Layer", {at: f"{at + 1}" for at in range(layers)}, layers - 1, "trained_layer", width=150)
        head = select(
            "Head", {at: f"{at + 1}" for at in range(heads)}, 0, "trained_head", width=150, disabled=not of_head
        )
        blocks = {at: f"{first + 1} to {first + SHOWN}" for at, first in enumerate(firsts)}
        return HeadPlace(layer, head, select("Components", blocks, 0, "components", width=150))


class Idea(NamedTuple):
    """A part of the screen whose numbers open: its attention, the titles of the pictures by the step that they draw,
    and the steps shown."""

    attention: str
    pictures: Mapping[str, str]
    steps: slice = slice(None)


AFTER_VALUES = slice(3, None)  # the steps after queries, keys and values
IDEAS: Mapping[str, Idea] = {
    "cross": Idea("cross", {"weights": "What each step of the decoder gives"}),
    "self": Idea("encoder", {"weights": "What each token gives"}),
    "scaling": Idea("cross", {"sharp": "Products as they are", "weights": "Products divided by √d"}, AFTER_VALUES),
    "masks": Idea("decoder", {"weights": "What each token gives"}, AFTER_VALUES),
    "heads": Idea("cross", {}, slice(2)),
    "residual": Idea("cross", {}, slice(2, None)),
}


def idea(top: ScreenHead, name: str, trace: TransformerTrace) -> None:
    """Draw the part of this name."""
    chosen, of_head = IDEAS[name], name != "residual"
    text = pictures = st.container()
    if len(chosen.pictures) == 1:
        text, pictures = st.columns(2, gap="large")
    with text:
        introduce(name)
        mask = (segments("Mask", MASKS, "causal", "hide") or "causal") if name == "masks" else ""
        attention = "encoder" if mask == "padding" else chosen.attention
        place = choose_place(top, trace, attention, of_head)
        worked = work(name, trace, attention, place, mask)
        st.markdown(finding(name, worked.values))
    with pictures:
        _pictures(name, trace, place, worked)
    with st.expander("Step by step", key="trained-steps", on_change="rerun") as calculation:
        if calculation.open:
            st.caption(origin(trace, place, attention, of_head))
            steps(worked.example, worked.values, name, name, chosen.steps, printed=False)
    definitions(*PARTS[name]["terms"])
    if name in SMALL:
        st.page_link(
            "screens/worked_examples/screen.py",
            label="A worked example, small enough for paper",
            query_params={"example": SMALL[name]},
        )


def work(name: str, trace: TransformerTrace, attention: str, place: HeadPlace, mask: str) -> Worked:
    """Return the steps of a part, of one head or of all heads of the layer; `mask` is one of MASKS, or ""."""
    parameters = transformer_parameters(trace.maker.name)
    if name in ("heads", "residual"):
        return worked_layer(trace, parameters, place)
    if mask == "padding":
        head = padded_head_input(trace, parameters, transformer(trace.maker.name).network, place)
    else:
        head = head_input(trace, parameters, attention, place, masked=mask != "none")
    return worked_head(head, place.block, masked=bool(mask), unscaled=name == "scaling")


def _pictures(name: str, trace: TransformerTrace, place: HeadPlace, worked: Worked) -> None:
    """Draw the weights as heatmaps: for the steps, or for all heads side by side."""
    shown = {}
    if name == "heads":
        layer = trace.cross_attention.weights[place.layer]
        labels = head_input(trace, transformer_parameters(trace.maker.name), "cross", place)
        shown = {f"Head {head + 1}": (labels.rows, labels.columns, weights) for head, weights in enumerate(layer)}
    else:
        for step, called in IDEAS[name].pictures.items():
            about = next(each for each in worked.example.steps if each.name == step)
            shown[called] = about.rows, about.columns, worked.values[step]
    columns = []
    for number, (called, (rows, names, weights)) in enumerate(shown.items()):
        if number % 2 == 0:  # pair by pair, so that one column has them in order
            columns = st.columns(min(2, len(shown)), gap="large")
        with columns[number % len(columns)]:
            st.markdown(f"**{called}**, in percent")
            key = f"{name}-{called.replace(' ', '-').lower()}"
            figure = weight_matrix(WordWeights(rows, names, weights, tuple(range(len(rows)))))
            figure.update_traces(showscale=False)  # every cell has its number, and the toolbar uses the room
            plot(figure.update_layout(margin={"r": 40}), key, called)


def origin(trace: TransformerTrace, place: HeadPlace, attention: str, of_head: bool) -> str:
    """Say whose numbers these are, of a head or of its layer, which of them are shown, and how they were computed."""
    where = {
        "cross": "the decoder's attention to the source",
        "encoder": "the encoder's self-attention",
        "decoder": "the decoder's self-attention",
    }[attention]
    head = f", head {place.head + 1}" if of_head else ""
    rest = ", and a matrix R holds what the others add to a sum" if of_head else ""
    return (
        f"The trained model “{plain_markdown(title(trace.maker.name))}”, {where}, layer {place.layer + 1}{head}: its "
        f"own vectors and parameters, recomputed in NumPy. At most {ROWS} rows and {SHOWN} of "
        f"{trace.annotations.shape[1]} components are shown{rest}. Choose other components to see them."
    )


def finding(name: str, values: Values) -> str:
    """Return what a part's numbers show, in a sentence."""
    match name:
        case "cross":
            found = {"size": round(float(values["divisor"]) ** 2)}
        case "self":
            found = {"own": percent(np.diagonal(values["weights"]).mean())}
        case "scaling":
            before, after = (percent(values[step].max(axis=1).mean()) for step in ("sharp", "weights"))
            found = {"before": before, "after": after, "divisor": f"{float(values['divisor']):.3g}"}
        case "masks":
            found = {"masked": int((values["mask"] == 0).sum()), "all": values["mask"].size}
        case "heads":
            found = {"heads": sum(step.startswith("A_") for step in values)}
        case _:
            lengths = (np.linalg.norm(values[step], axis=1).mean() for step in ("x", "O"))
            found = dict(zip(("before", "added"), (f"{length:.2f}" for length in lengths), strict=True))
    return PARTS[name]["finding"].format(**found)


QUESTION = "Question"
WAITS = "Nothing in an encoder, or in training; in a decoder that translates, a token for those before it"
HEADS = QUESTION, "Luong, general score", "Self-attention, one head", "All heads of a layer"


def attentions(trace: TransformerTrace, luong: Config) -> list[dict[str, str]]:
    """Return a row for each question, a column for each kind of attention; `luong` configures a general score.

    A head has three matrices of D × Q, for queries, keys and values; with N heads of D / N components those of a layer
    are as large as of one head of D, and W_O, which joins them, is D × D.
    """
    words, steps = len(trace.source), len(trace.target)
    _, heads, _, size = trace.encoder_attention.queries.shape
    whole = heads * size
    annotation = 2 * luong.encoder_state
    rows = (
        ("Who asks", "The decoder's state, at each step", "Every token of the sentence", "Every token, in each head"),
        ("What is compared", "State with W times annotation", "Query with key", "Query with key, in each head"),
        ("What is summed", "Annotations", "Values", "Values of each head, joined by W_O"),
        ("What has to wait", "A step, for the state before it", WAITS, WAITS),
        (
            "Scores for these tokens",
            f"{steps} × {words} = {steps * words:,}",
            f"{words} × {words} = {words**2:,}",
            f"{heads} × {words} × {words} = {heads * words**2:,}",
        ),
        (
            "Learned parameters",
            f"{luong.state} × {annotation} = {luong.state * annotation:,} in W",
            f"3 × {whole} × {size} = {3 * whole * size:,} for queries, keys and values",
            f"4 × {whole}² = {4 * whole**2:,} with W_O",
        ),
    )
    return [dict(zip(HEADS, row, strict=True)) for row in rows]
