"""Notation: the formula of an opened number, with its indices filled in, as LaTeX or as plain text.

Subscripts are step t, source position i and component j, all from 1. The letters of an encoder's cell carry an arrow
that shows its direction. Templates are those of `numbers.toml`; `app/export/engine/notation.js` fills the same ones.
"""

from string import Template
from typing import Literal

from regard.model.arithmetic.derivation import Derivation
from regard.model.arithmetic.kinds import ALONE, FORMS, KINDS, LETTERS, READS

Style = Literal["latex", "text"]
ENCODER = ("annotation", "encoder_gate", "encoder_cell", "encoder_kept")
NOT_GATES = ("memory", "kept", "state")  # the other letters of a cell
ARROWS = {
    "latex": {"forwards": r"\overrightarrow{%s}", "backwards": r"\overleftarrow{%s}"},
    "text": {"forwards": "→%s", "backwards": "←%s"},
}


def formula(working: Derivation, style: Style) -> str:
    """Return the formula of a number in symbols, its left side included."""
    return Template(getattr(FORMS[working.form], style)).substitute(letters(working, style))


def terms(working: Derivation) -> list[str]:
    """Return the glossary terms of a formula's symbols: the number's own, then those of its right side."""
    return list(dict.fromkeys((*KINDS[working.quantity.kind].terms, *FORMS[working.form].terms)))


def letters(working: Derivation, style: Style) -> dict[str, str]:
    """Return the values of all placeholders for this number; `left` is its symbol."""
    quantity = working.quantity
    named = _cell_letters(working, style)
    now, part, past = quantity.step + 1, quantity.component + 1, quantity.step
    if quantity.kind in ENCODER and working.form != "layer_norm":
        inner = next(opened for opened in (quantity, *working.opens) if opened.direction)
        now, part = quantity.position + 1, inner.component + 1
        past = now + 1 if inner.direction == "backwards" else now - 1
    step, position = quantity.step + 1, quantity.position + 1
    if quantity.attention:
        step, position, past = quantity.row + 1, quantity.column + 1, quantity.row
    elif working.form == "layer_norm" and quantity.kind == "annotation":
        step = position
    places = {
        "t": step, "i": position, "j": quantity.component + 1, "now": now, "past": past, "part": part,
        "at": f"{now},{part}", "before": f"{past},{part}", "asking": working.asking + 1,
    }  # fmt: skip
    named |= {"gate": named.get(quantity.gate, ""), **{name: str(place) for name, place in places.items()}}
    named["read"] = Template(READS[working.reads][style] if working.reads else "").substitute(named)
    return {**named, "left": Template(getattr(KINDS[quantity.kind], style)).substitute(named)}


def _cell_letters(working: Derivation, style: Style) -> dict[str, str]:
    """Return the letters of a recurrent cell: with an arrow in the encoder, with (i) if one token has all weight."""
    quantity = working.quantity
    named = {**LETTERS, "candidate": "n" if working.form in ("state/gru", "gate/reset") else "g"}
    if quantity.kind in ENCODER and working.form != "layer_norm":
        inner = next(opened for opened in (quantity, *working.opens) if opened.direction)
        return {name: ARROWS[style][inner.direction] % letter for name, letter in {**named, "state": "h"}.items()}
    if not quantity.kind.startswith(ALONE):
        return named
    before = NOT_GATES[1:] if working.form == "state/lstm" else NOT_GATES  # an LSTM's state reads the new cell state
    return {
        name: letter if name in before else f"{letter}^{{({quantity.position + 1})}}" for name, letter in named.items()
    }
