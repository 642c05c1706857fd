"""Kinds of number that can be opened, and the forms in which each is made: the table `numbers.toml`, read.

The first lines of that file explain its entries. `for_pages` returns the part that pages need.
"""

import re
import unicodedata
from typing import Any, NamedTuple

from regard.model.files import toml_beside
from regard.model.trace import Maker

TABLE: dict[str, Any] = toml_beside(__file__, "numbers.toml")


class NumberKind(NamedTuple):
    """One kind; `indices` are the fields of a `Quantity` that place a number, `shape` is by letter."""

    indices: tuple[str, ...]
    shape: tuple[str, ...]
    phrase: str
    latex: str
    form: str
    terms: tuple[str, ...] = ()
    array: str = ""  # its name in the trace, in the recomputation and in the page's own trace
    summed: bool = False  # the recomputation keeps no such number: it is added up from its terms
    in_transformer: str = ""
    unit: str = ""
    needs: str = ""


class Factor(NamedTuple):
    """A factor of a term, such as `1-update` or `context[t,k]`: `change` is what happens to the named number."""

    change: str
    name: str
    at: tuple[str, ...]


class Terms(NamedTuple):
    """Terms as a form declares them, `LABEL: FACTORS for LETTERS in RANGE`; a single term has no letters."""

    label: str
    factors: tuple[Factor, ...]
    letters: tuple[str, ...]
    within: str

    @classmethod
    def parse(cls, text: str) -> "Terms":
        label, _, rest = text.partition(": ")
        made, _, loop = rest.partition(" for ")
        letters, _, within = loop.partition(" in ")
        factors = tuple(
            Factor(change.strip(), name, tuple(filter(None, at.strip("[]").split(","))))
            for change, name, at in _FACTOR.findall(made)
        )
        return cls(label, factors, tuple(filter(None, letters.split(","))), within)


_FACTOR = re.compile(r"(-|1-|1/|exp |tanh |bits |centred )?(\w+)(\[[^]]*\])?(?: \* |$)")
GATES = ("input", "forget", "candidate", "output", "reset", "update")


class NumberForm(NamedTuple):
    """One way in which a number is made, in symbols, in terms and in words; "" where nothing is said."""

    latex: str
    made: tuple[Terms, ...] = ()
    ending: str = "sum"
    words: str = ""
    brief: str = ""
    exercise: tuple[str, ...] = ()


class ScoreKind(NamedTuple):
    """A score: its name on screen, the matrix of its keys ("" for none), how it compares, and whether √H divides it."""

    name: str
    keys: str
    compares: str  # "product", "network" or "nothing"
    scaled: bool


def _kind(entry: dict[str, Any]) -> NumberKind:
    lists = {"indices": tuple(entry["indices"]), "shape": tuple(entry["shape"].split())}
    return NumberKind(**{**entry, **lists, "terms": tuple(entry.get("terms", ()))})


def _form(entry: dict[str, Any]) -> NumberForm:
    return NumberForm(**{**entry, "exercise": tuple(entry.get("exercise", ())), "made": _terms(entry)})


def _terms(entry: dict[str, Any]) -> tuple[Terms, ...]:
    return tuple(map(Terms.parse, entry.get("made", ())))


FORWARD, AFTERWARDS, TRANSFORMER = (
    {name: _kind(entry) for name, entry in TABLE[part].items()} for part in ("forward", "afterwards", "transformer")
)
KINDS = FORWARD | AFTERWARDS | TRANSFORMER
SHARED: tuple[str, ...] = tuple(TABLE["shared"])  # kinds that Transformers share with recurrent networks
FORMS = {name: _form(entry) for name, entry in TABLE["forms"].items()}
SCORES = {name: ScoreKind(**entry) for name, entry in TABLE["scores"].items()}
LETTERS: dict[str, str] = TABLE["letters"]
READS: dict[str, str] = {name: entry["latex"] for name, entry in TABLE["reads"].items()}
READ_TERMS = {name: _terms(entry) for name, entry in TABLE["reads"].items()}
PARAMETERS: dict[str, str] = TABLE["parameters"]
CELLS: dict[str, dict[str, str]] = TABLE["cells"]

PHRASES = {name: kind.phrase for name, kind in KINDS.items()}
BETWEEN_WORDS = tuple(name for name, kind in KINDS.items() if "rows" in kind.indices)
ALONE = "alone_"  # prefix of kinds computed with all the step's weight on one source token
MEAN, DEVIATION = "_mean", "_deviation"  # suffixes of a vector's kind: over all its components
STREAMS = tuple(name.removesuffix(MEAN) for name in TRANSFORMER if name.endswith(MEAN))


_GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
_SIGNS = {
    "alpha": "α", "sigma": "σ", "ell": "ℓ", "varepsilon": "ε", "sum": "Σ", "mid": "|", "cdot": "·", "odot": "⊙",
    "ldots": "…", "quad": " ",
}  # fmt: skip
_AS_TEXT: tuple[tuple[str, Any], ...] = (
    ("&", ""),
    ("-", "−"),
    (r"\\left\( | \\right(?=\))", lambda found: "(" if "(" in found[0] else ""),
    (r"\\(?:text|mathrm)\{([^}]*)\}", r"\1"),
    (
        rf"\\frac{_GROUP}{_GROUP}",
        lambda found: f"({found[1]}) / {found[2]}" if " − " in found[1] else f"{found[1]} / {found[2]}",
    ),
    (rf"\\sqrt{_GROUP}", lambda found: f"√({found[1]})" if " " in found[1] else f"√{found[1]}"),
    (r"\\overrightarrow\{(\w)\}", r"→\1"),
    (r"\\overleftarrow\{(\w)\}", r"←\1"),
    (r"\^\\top", " ·"),
    (r"\s*\\,\s*", " "),
    (r"\\bar ?(\\[a-z]+|\w)", "\\1\u0304"),
    (r"\\tilde ?(\w)", "\\1\u0303"),
    (r"\\hat ?(\w)", "\\1\u0302"),
    (r"\\([a-z]+)", lambda found: _SIGNS.get(found[1], found[1])),
    (r"_\{(\w)\}", r"_\1"),
)


def as_text(latex: str) -> str:
    """Return a formula of the table as plain text, where `_` still sets below the line and `^` above it."""
    first, *others = latex.removeprefix(r"\begin{aligned} ").removesuffix(r" \end{aligned}").split(r" \\ ")
    text, joined = first, "with"
    for line in others:
        if line.startswith("&="):
            text += f" {line}"
        else:  # what the letters of the first lines stand for
            text, joined = "   ".join([text, joined, line.removeprefix(r"& \text{with } ")]), "and"
    for pattern, replacement in _AS_TEXT:
        text = re.sub(pattern, replacement, text)
    return unicodedata.normalize("NFC", text)


def usual_form(kind: str, maker: Maker) -> str:
    """Return the form of numbers of this kind in a model without a person's changes, such as score/dot."""
    entry = KINDS[kind]
    if maker.wiring == "transformer":
        return entry.in_transformer or entry.form
    keys = SCORES[maker.score].keys
    return entry.form.format(score=maker.score, keys=keys, cell=maker.cell, wiring=maker.wiring)


def for_pages() -> dict[str, Any]:
    """Return names, symbols, formulas as text, letters, inputs and units of all numbers, for a page without the app."""
    return {
        "phrases": PHRASES,
        "symbols": {name: as_text(kind.latex) for name, kind in KINDS.items()},
        "units": {name: kind.unit for name, kind in KINDS.items() if kind.unit},
        "forms": {name: as_text(form.latex) for name, form in FORMS.items()},
        "letters": LETTERS,
        "reads": {name: as_text(latex) for name, latex in READS.items()},
    }


def with_terms() -> dict[str, Any]:
    """Return what `for_pages` does, and all that a page needs to open numbers by itself."""
    fields = ("indices", "array", "summed", "form", "in_transformer")
    kinds = {name: {field: getattr(kind, field) for field in fields} for name, kind in KINDS.items()}
    return for_pages() | {
        "kinds": kinds,
        "made": {name: {"made": form.made, "ending": form.ending} for name, form in FORMS.items()},
        "read_terms": READ_TERMS,
        "parameters": PARAMETERS,
        "cells": CELLS,
        "gates": GATES,
    }
