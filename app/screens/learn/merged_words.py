"""Merging tokens into words: one word in several tokens, its weights before and after.

A source word's weight is the sum over its tokens, a target word's the mean over its steps, so every row still adds up
to 1.
"""

import numpy as np
import streamlit as st

from regard.app.screens.learn.step_picker import name
from regard.app.theme import percent
from regard.app.visitor.sentence_input import ask
from regard.model.alignment import Alignment

EXAMPLE = "The firefighter is brave."  # one word of it is four tokens to the shipped models


def with_pieces(alignment: Alignment) -> None:
    """Say what merging does to the word with the most tokens; offer another sentence if every word is one token."""
    told = merged(alignment)
    if told:
        st.markdown(told)
    elif alignment.source.language == "en":
        offer = f"Take “{EXAMPLE}”, which has a word of several tokens"
        if st.button(offer, type="tertiary", on_click=ask, args=(EXAMPLE,)):
            st.rerun()  # rerun the whole page, whose sentence has changed


def merged(alignment: Alignment) -> str:
    """Return the weights, before and after merging, of the source word with the most tokens at its heaviest step."""
    word_of = np.array(alignment.source.word_of)
    word = int(np.bincount(word_of).argmax())
    places = np.flatnonzero(word_of == word)
    if len(places) < 2:
        return ""
    row = alignment.weights[:, places].sum(1).argmax()
    parts = alignment.weights[row, places]
    tokens = [name(alignment.source.tokens[place]) for place in places]
    sums = " + ".join(percent(float(part)) for part in parts)
    return (
        f"**One word, {len(places)} tokens:** the model reads “{alignment.source.words[word]}” as {' '.join(tokens)}. "
        f"At the step that writes {name(alignment.target.tokens[row])} they weigh {sums}. As one word they weigh "
        f"**{percent(float(parts.sum()))}**: weights are added over the tokens of a source word, and averaged over the "
        "steps of a target word."
    )
