"""The steps from Luong's attention to the Transformer's, in words: what stays and what changes in each."""

from html import escape
from typing import NamedTuple

import streamlit as st

STAYS, CHANGES = "stays", "changes"


class Move(NamedTuple):
    """One of the three moves of all attention: compare, weigh, sum."""

    what: str  # STAYS, CHANGES, or a word of its own
    text: str


class TransformerPart(NamedTuple):
    """One idea of the screen."""

    title: str  # short, for the row of choices
    lead: str  # Markdown
    compare: Move
    weigh: Move
    sum: Move
    terms: tuple[str, ...] = ()  # of the glossary


PARTS: dict[str, TransformerPart] = {
    "cross": TransformerPart(
        "Query, key, value",
        "The decoder asks the sentence, as on the other screens. Luong's general score has one matrix W between a "
        "state and an annotation. Take W apart into two, and each side has its own: the state becomes a **query**, "
        "the annotation a **key**. A third matrix makes what is summed, the **values**.",
        Move(CHANGES, "A query with a key, in place of a state with W and an annotation. The scores are the same."),
        Move(STAYS, "The softmax of every row."),
        Move(CHANGES, "Values made of the annotations, in place of the annotations themselves."),
        ("general", "query", "key", "value", "cross_attention"),
    ),
    "self": TransformerPart(
        "Self-attention",
        "The sentence attends to itself. Queries, keys and values are all made of its own words, so every word gets a "
        "new "
        "vector that is mixed from all of them. No row waits for another: there is no state to compute first.",
        Move(CHANGES, "Every word's query with every word's key, in place of the decoder's."),
        Move(STAYS, "The softmax of every row."),
        Move(CHANGES, "Values of the same sentence, in place of those of another."),
        ("self_attention",),
    ),
    "scaling": TransformerPart(
        "Scaling",
        "A product of long vectors has many terms, so it spreads far, and the softmax then gives nearly everything to "
        "one position and hardly moves in training. Divided by √d, with d the numbers in a query, products spread as "
        "far for long vectors as for short ones.",
        Move(CHANGES, "Query times key, and the product divided by √d."),
        Move(STAYS, "The softmax of every row, now of smaller scores."),
        Move(STAYS, "The values, each scaled by its weight."),
        ("scaling", "saturation"),
    ),
    "masks": TransformerPart(
        "Masks",
        "Some positions are hidden. A decoder that learns all positions at once must not look at words it has yet to "
        "write: the **causal** mask hides what comes later. Short sentences are filled up with `<pad>` to the "
        "length of their batch: the **padding** mask hides that.",
        Move(STAYS, "Query times key, divided by √d."),
        Move(CHANGES, "A hidden score becomes −∞ before the softmax, and its weight exactly 0."),
        Move(STAYS, "The values; what is hidden adds nothing."),
        ("mask", "causal"),
    ),
    "heads": TransformerPart(
        "Heads",
        "One softmax has one set of shares to give. Several **heads** have several: each has queries, keys and values "
        "of its own, of fewer numbers, and shares its attention in its own way. What they find is joined, and a last "
        "matrix, $W_O$, mixes it.",
        Move("in each head", "Query times key, apart from the other heads."),
        Move("in each head", "The softmax of every row, apart from the other heads."),
        Move(CHANGES, "Each head sums its own values; the sums are joined and mixed."),
        ("head", "concatenation"),
    ),
    "residual": TransformerPart(
        "Residual",
        "What a layer's heads find does not take the place of a token's vector: it is **added** to it. This sum, the "
        "residual stream, runs through all layers, and each reads it through a **layer normalisation**, which gives "
        "every row mean 0 and deviation 1 before a learned gain and bias. Here the normalisation comes first in every "
        "part of a layer; in the paper of 2017 it came last.",
        Move(STAYS, "Query times key, made of what was normalised."),
        Move(STAYS, "The softmax of every row."),
        Move(CHANGES, "The heads' sum is added to what was there before."),
        ("residual", "layer_normalisation"),
    ),
    "positions": TransformerPart(
        "Positions",
        "Self-attention without a mask does not know the order of words: put them in another order, and each gets the "
        "same vector as before. So a Transformer adds to every embedding a vector that says where the word stands, its "
        "**positional encoding**. A recurrent network needs none, because it reads in turn.",
        Move(CHANGES, "Queries and keys are made of word and position, so that a score can ask for a place."),
        Move(STAYS, "The softmax of every row."),
        Move(CHANGES, "Values are made of word and position too."),
        ("positional_encoding", "self_attention"),
    ),
    "summary": TransformerPart(
        "Side by side",
        "Compare, weigh, sum: that is Luong's attention, and it is a Transformer's. What differs is who asks, what is "
        "compared, and what is summed.",
        Move(STAYS, "One vector that asks with many that answer, by a product."),
        Move(STAYS, "A softmax makes shares of the scores that add up to 1."),
        Move(STAYS, "Vectors added up, each scaled by its share."),
    ),
}


def moves(part: TransformerPart) -> None:
    """Show the three moves, and if each stays or changes."""
    cells = "".join(
        f'<div class="{CHANGES if move.what == CHANGES else STAYS}"><dt>{name} <span>{escape(move.what)}</span></dt>'
        f"<dd>{escape(move.text)}</dd></div>"
        for name, move in (("Compare", part.compare), ("Weigh", part.weigh), ("Sum", part.sum))
    )
    st.html(f'<dl class="moves">{cells}</dl>')
