"""Kinds of number that can be opened, and the forms in which each is made: the table `numbers.toml`, read.

The first lines of that file explain its entries. `for_pages` returns the part that pages need.
"""

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
    text: str
    form: str
    terms: tuple[str, ...] = ()
    in_transformer: str = ""
    unit: str = ""
    needs: str = ""


class NumberForm(NamedTuple):
    """One way in which a number is made, in symbols and in words; "" where nothing is said."""

    latex: str
    text: str
    terms: tuple[str, ...] = ()
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
    lists = {name: tuple(entry.get(name, ())) for name in ("terms", "exercise")}
    return NumberForm(**{**entry, **lists})


FORWARD, AFTERWARDS, TRANSFORMER = (
    {name: _kind(entry) for name, entry in TABLE[part].items()} for part in ("forward", "afterwards", "transformer")
)
KINDS = FORWARD | AFTERWARDS | TRANSFORMER
SHARED: tuple[str, ...] = tuple(TABLE["shared"])  # kinds that Transformers share with recurrent networks
FORMS = {name: _form(entry) for name, entry in TABLE["forms"].items()}
SCORES = {name: ScoreKind(**entry) for name, entry in TABLE["scores"].items()}
LETTERS: dict[str, str] = TABLE["letters"]
ARRAYS: dict[str, str] = TABLE["arrays"]
READS: dict[str, dict[str, str]] = TABLE["reads"]

PHRASES = {name: kind.phrase for name, kind in KINDS.items()}
BETWEEN_WORDS = tuple(name for name, kind in KINDS.items() if "rows" in kind.indices)
ALONE = "alone_"  # prefix of kinds computed with all the step's weight on one source token
MEAN, DEVIATION = "_mean", "_deviation"  # suffixes of a vector's kind: over all its components
STREAMS = tuple(name.removesuffix(MEAN) for name in TRANSFORMER if name.endswith(MEAN))


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
        "symbols": {name: kind.text for name, kind in KINDS.items()},
        "units": {name: kind.unit for name, kind in KINDS.items() if kind.unit},
        "forms": {name: form.text for name, form in FORMS.items()},
        "letters": LETTERS,
        "reads": {name: style["text"] for name, style in READS.items()},
    }
