"""Head of a column when several traces are side by side: its model, its score, and facts about it."""

from string import Template
from typing import NamedTuple

from regard.model.trace import Maker

FORMULAS = {
    "dot": "e_{ti} = s_$asking · h_i",
    "general": "e_{ti} = s_$asking · W_a h_i",
    "concat": "e_{ti} = v · tanh(W s_$asking + U h_i)",
    "scaled dot": "e_{ti} = q_t · k_i / √d",  # in each head
    "none": "c_t = ½ h_1 + ½ h_S",  # no score: the same context at every step
}  # text after _ is a subscript
ASKING = {"luong": "t", "bahdanau": "{t−1}", "transformer": "t"}  # index of the state that asks, by wiring


class Head(NamedTuple):
    """`facts` are pairs of a name and its value as written, such as: time, 84 ms."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()


def formula(maker: Maker) -> str:
    """Return the score of a model, or what replaces it."""
    return Template(FORMULAS[maker.score]).substitute(asking=ASKING[maker.wiring])
