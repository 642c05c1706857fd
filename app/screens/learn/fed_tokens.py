"""Trained on the truth, fed its own mistakes: how far a network keeps its place when it is fed other numbers."""

import streamlit as st

from regard.app.models.analyses import place_keeping
from regard.app.theme import percent
from regard.app.ui.tables import table
from regard.model.analysis.place_keeping import SEQUENCES, WRONG, PlaceKeeping

SLIGHT = 0.1  # loss of steps on the line below which a change hardly matters


def fed_its_mistakes(name: str, length: int, symbols: int) -> None:
    """Draw the share of steps on the line by what the decoder is fed, and what follows from it."""
    shares = place_keeping(name, length, symbols)
    st.markdown(
        "**Trained on the truth, fed its own mistakes.** When it writes alone, a wrong number is fed back in, which "
        f"never happened in training (*exposure bias*). How many steps of {SEQUENCES} sequences of {length} numbers "
        "still look at the number whose turn it is?"
    )
    fed = ("its own numbers", f"the right numbers, but number {WRONG} is wrong", "random numbers")
    rows = zip(fed, map(percent, shares), strict=True)
    table([dict(zip(("The decoder is fed", "Steps on the line"), row, strict=True)) for row in rows], "Steps")
    st.markdown(conclusion(shares))


def conclusion(shares: PlaceKeeping) -> str:
    """Return what the shares say, whichever way they fall."""
    lost_by_one, lost_by_many = shares.own - shares.one_wrong, shares.own - shares.random
    one = "hardly disturbs it" if lost_by_one < SLIGHT else "makes it lose its place"
    many = "many hardly do" if lost_by_many < SLIGHT else "many make it lose its place"
    return f"One wrong number {one}; {many}."
