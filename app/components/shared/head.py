"""Head of a column when several traces are side by side: its model, its score, and facts about it."""

from string import Template
from typing import NamedTuple

from regard.app.theme import component
from regard.model.arithmetic.kinds import FORMS
from regard.model.trace import AnyTrace, Maker

ASKING = {"luong": "t", "bahdanau": "t−1", "transformer": "t"}  # index of the state that asks, by wiring


class Head(NamedTuple):
    """`facts` are pairs of a name and its value as written, such as: time, 84 ms."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()


def gain(before: AnyTrace, after: AnyTrace) -> tuple[str, str]:
    """Return the fact that says how much log-probability a change gained or lost."""
    gained = after.log_probability - before.log_probability
    return ("gained" if gained >= 0 else "lost", component(abs(gained)) if gained else "nothing")


def formula(maker: Maker) -> str:
    """Return the score of a model, or what replaces it."""
    form = "head_score" if maker.wiring == "transformer" else f"score/{maker.score}"
    return Template(FORMS[form].brief).substitute(asking=ASKING[maker.wiring])
