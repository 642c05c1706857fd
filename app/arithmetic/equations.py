"""Equations: a number's working, in symbols and in numbers, as LaTeX for KaTeX, and NumPy's recomputation of it.

In formulas, subscripts are step t, source position i and component j, all from 1; the letters of an encoder's cell
carry an arrow for its direction. `app/export/engine/quantity.js` fills the same templates of `numbers.toml`.

Numbers have the fewest digits that let a reader redo each line: the factors shown give the term shown, the terms shown
add up to the sum shown, and the sum shown gives the number shown.
"""

import math
import string
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from string import Template
from typing import Literal, NamedTuple

from regard.model.arithmetic.kinds import ALONE, FORMS, KINDS, LETTERS, READS
from regard.model.arithmetic.terms import Derivation, Term

Style = Literal["latex", "text"]
ENCODER = ("annotation", "encoder_gate", "encoder_cell", "encoder_kept")
NOT_GATES = ("memory", "kept", "state")  # the other letters of a cell
ARROWS = {
    "latex": {"forwards": r"\overrightarrow{%s}", "backwards": r"\overleftarrow{%s}"},
    "text": {"forwards": "→%s", "backwards": "←%s"},
}

LABEL_CHARACTERS = 14  # characters of a label; a phone shows no more beside the numbers
DIGITS = 4  # of a result after the point, unless it is small
MOST_DIGITS = 14  # digits after the point that are tried

ENDINGS = {
    "mean": "$total / $count =",
    "root": r"\sqrt{$total / $count} =",
    "tanh": r"\tanh($total) =",
    "relu": r"\max(0, $total) =",
    "sigmoid": r"\sigma($total) =",
    "share": "$first / $total =",
    "log": r"$constant + \log $total =",
}
TOO_SMALL = "Too small to tell: for a sum of this size, float32 rounds by up to {}"
POWERS = ("weight/softmax", "probability", "likelihood", "log_normaliser")  # forms whose terms are e^(score − greatest)

JOINERS = "\u200c\u200d"  # hold an emoji together, or letters apart
SPECIAL = {
    " ": r"\ ",
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\textdollar{}",
    "%": r"\%",
    "#": r"\#",
    "&": r"\&",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "_": r"\textunderscore{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "-": "{-}",  # two in a row would become a dash
    "'": "{'}",  # and these one quotation mark
    "`": "{`}",
    "\U0001d6a4": "ı",  # the italic one, which KaTeX does not know
}


def text(token: str) -> str:
    """Return typed text as LaTeX that shows it and runs none of it, cut to `LABEL_CHARACTERS`."""
    whole = unicodedata.normalize("NFC", token)
    shown = whole if len(whole) <= LABEL_CHARACTERS else f"{whole[: LABEL_CHARACTERS - 1]}…"
    return rf"\text{{{''.join(map(_letter, shown))}}}"


def numbers(working: Derivation) -> str:
    """Return the formula with its numbers, as LaTeX: a column of terms, their sum, and the result."""
    left = letters(working, "latex")["left"]
    if not working.terms:
        return f"{left} = 0"
    places = _places(working)
    result = rf"\mathbf{{{_tex(final(working.combined))}}} & = {left}"
    if working.ending == "sum" and len(working.terms) == 1:
        return _array([f"{_short_factors(working.terms[0], working, places.first)} & {result}"])
    rows = [_row(term, working, places.terms) for term in working.terms]
    rows[0] = _row(working.terms[0], working, places.first)
    if working.rest_count:
        rows.append(
            rf"\ldots & {_tex(written(working.rest_value, places.terms))} & \text{{{working.rest_count:,} more}}"
        )
    if working.ending == "sum":
        return _array(rows, [f"& {result}"])
    total = _tex(written(working.total, places.total))
    ended = Template(ENDINGS[working.ending]).substitute(
        first=_tex(written(working.terms[0].value, places.first)),
        total=total,
        count=f"{working.constant:.0f}",
        constant=_tex(written(working.constant, places.total)),
    )
    return _array(rows, [rf"& {total} & \text{{sum}}", f"{ended} & {result}"])


def shapes(working: Derivation) -> str:
    """Return the sizes of the matrices and vectors that the terms are made of, or "" if there are none."""
    return " · ".join(f"{name} {' × '.join(map(str, sizes))}" for name, sizes in working.shapes.items())


def agreement(working: Derivation) -> str:
    """Compare in words the number that NumPy recomputed with the one shown."""
    recomputed = _signed(working.recomputed)
    if working.shown is None or working.difference is None:
        return f"NumPy computation: {recomputed}. The translation stores no such number to compare with."
    difference = f"{working.difference:.0e}".replace("e-0", "e-") if working.difference else "0"
    line = f"NumPy recomputation: {recomputed}, shown {_signed(working.shown)}, difference {difference}"
    if not working.agrees:
        return f"{line}. These do not agree: the translation was not made by these weights."
    return line if working.tells else f"{line}. {TOO_SMALL.format(f'{working.tolerance:.0e}'.replace('e-0', 'e-'))}"


def written(value: float, places: int) -> str:
    """Format with this many digits after the point, at least two of them significant; tiny numbers in powers of ten."""
    for digits in range(places, places + 3):
        plain = f"{value + 0:.{digits}f}"  # −0.0 + 0 is 0.0
        if not value or abs(float(plain)) >= float(f"1e{1 - digits}"):
            return plain
    return f"{value:.{max(2, places - DIGITS)}e}"


def final(value: float) -> str:
    """Format a result with four digits after the point, or three significant ones if it is small."""
    if not 0 < abs(value) < 0.01:
        return f"{value + 0:.{DIGITS}f}"
    leading = -math.floor(math.log10(abs(value)))
    return f"{value:.{leading + 2}f}" if leading < DIGITS + 2 else f"{value:.2e}"


def _signed(value: float) -> str:
    """Format with a real minus sign, for a line of words."""
    return final(value).replace("-", "−", 1) if value < 0 else final(value)


def _letter(character: str) -> str:
    """Return letters and digits as they are, invisible ones as �, and anything else (∑, ℰ, an accent) by its code."""
    category = unicodedata.category(character)
    if character in SPECIAL:
        return SPECIAL[character]
    if category.startswith("Z"):
        return SPECIAL[" "]
    if category.startswith("C") and character not in JOINERS:
        return "�"
    plain = category.startswith(("L", "N")) and unicodedata.is_normalized("NFKC", character)
    return character if plain or character in string.punctuation else rf'{{\char"{ord(character):X}}}'


def formula(working: Derivation, style: Style) -> str:
    """Return the formula of a number in symbols, its left side included."""
    return Template(getattr(FORMS[working.form], style)).substitute(letters(working, style))


def terms(working: Derivation) -> list[str]:
    """Return the glossary terms of a formula's symbols: the number's own, its ending's, and those of its terms."""
    softmax = working.ending == "share" and working.form in POWERS
    ending = ["softmax"] if softmax else [working.ending] if working.ending in ("tanh", "sigmoid") else []
    named = (term for kind in working.kinds for term in KINDS[kind].terms)
    return list(dict.fromkeys((*KINDS[working.quantity.kind].terms, *ending, *named)))


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


class Places(NamedTuple):
    """Digits after the point: of the first term, which a share divides, of the other terms, and of the sum."""

    first: int
    terms: int
    total: int


def _places(working: Derivation) -> Places:
    """Return the fewest digits with which the terms as shown give the number as shown."""
    wanted = final(working.combined)
    least = max(DIGITS, len(wanted.partition(".")[2])) if working.ending == "sum" and "e" not in wanted else DIGITS
    tries = (
        Places(terms + more * (working.ending == "share"), terms, total)
        for total in range(least, MOST_DIGITS)
        for terms in range(total, total + 3)
        for more in range(MOST_DIGITS - terms if working.ending == "share" else 1)
    )
    return next(
        (places for places in tries if _comes_out(working, places, wanted)),
        Places(MOST_DIGITS, MOST_DIGITS, MOST_DIGITS),
    )


def _comes_out(working: Derivation, places: Places, wanted: str) -> bool:
    """Return True if redoing the sum and the ending with the digits shown gives the sum and the number shown."""
    values = [*(term.value for term in working.terms[1:]), working.rest_value]
    first, total = float(written(working.terms[0].value, places.first)), written(working.total, places.total)
    if written(math.fsum([first, *(float(written(value, places.terms)) for value in values)]), places.total) != total:
        return False
    head = first if working.ending == "share" else float(total)  # the sum itself, without another rounding
    rounded = replace(
        working,
        terms=(replace(working.terms[0], value=head),),
        rest_value=float(total) - head,
        constant=float(written(working.constant, places.total)),
    )
    return final(rounded.combined) == wanted


def _array(rows: list[str], last: Sequence[str] = ()) -> str:
    """Return a column of numbers as LaTeX, with a line above their result."""
    ruled = [*rows[:-1], rf"{rows[-1]} \\ \hline {last[0]}", *last[1:]] if last else rows
    body = " \\\\\n".join(ruled)
    return f"\\footnotesize\\begin{{array}}{{rrl}}\n{body}\n\\end{{array}}"


def _row(term: Term, working: Derivation, places: int) -> str:
    return f"{_short_factors(term, working, places)} & {_tex(written(term.value, places))} & {text(term.label)}"


def _short_factors(term: Term, working: Derivation, places: int) -> str:
    """Return the factors with the fewest digits that give the term as shown."""
    value, made = written(term.value, places), ""
    for digits in range(3, MOST_DIGITS):
        factors = [written(factor, digits) for factor in term.factors]
        greatest = written(working.constant, digits)
        if working.form in POWERS:
            less = f"-{_tex(greatest)}".replace("--", "+")
            made = rf"\mathrm{{e}}^{{{_tex(factors[0])}{less}}} ="
            redone = math.exp(float(factors[0]) - float(greatest))
        elif working.form == "state/lstm":
            made = rf"{_tex(factors[0])} \cdot \tanh({_tex(factors[1])}) ="
            redone = float(factors[0]) * math.tanh(float(factors[1]))
        else:
            made = _product(factors)
            redone = math.prod(map(float, factors))
        if written(redone, places) == value:
            break
    return made


def _product(factors: list[str]) -> str:
    """Return the product of the factors as LaTeX; "" for a single factor, which is the term itself."""
    if len(factors) == 1:
        return ""
    first, *others = map(_tex, factors)
    return r" \cdot ".join([first, *(f"({other})" if other.startswith("-") else other for other in others)]) + " ="


def _tex(number: str) -> str:
    mantissa, _, power = number.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa
