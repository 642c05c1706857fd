"""Head of a column when several traces are side by side: its model, its score, and facts about it."""

from string import Template
from typing import NamedTuple

from regard.model.arithmetic.kinds import FORMS
from regard.model.trace import Maker

ASKING = {"luong": "t", "bahdanau": "t−1", "transformer": "t"}  # index of the state that asks, by wiring


class Head(NamedTuple):
    """`facts` are pairs of a name and its value as written, such as: time, 84 ms."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()


def formula(maker: Maker) -> str:
    """Return the score of a model, or what replaces it."""
    form = "head_score" if maker.wiring == "transformer" else f"score/{maker.score}"
    return Template(FORMS[form].brief).substitute(asking=ASKING[maker.wiring])
