"""Text: remarks on a sentence from a file, and on a clicked number of it."""

from collections.abc import Mapping
from typing import TypeGuard

from regard.model.alignment import ROWS, STEP
from regard.model.arithmetic.quantity import ATTENTION_NAMES
from regard.model.soft_alignments.derived import confidence
from regard.model.soft_alignments.formats import ReadFile
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.soft_alignments.record import ForeignSentence

ROUNDED = 1e-5  # how far from 1 a sum may be that is not mentioned
DIVIDED = "That is the file's number divided by what is left of its row."
CONFIDENCE = (
    "Confidence of the alignment: {total:.2f} = {coverage:.2f} (coverage) {rows:+.2f} (rows) {columns:+.2f} (columns); "
    "0 if each token is aligned to one of its own (after Rikters and Fishel 2017)."
)
PRESS = "Press a number to see its value in the file."
UNKNOWN = "This trace was made by a model that is not available or was changed: its numbers cannot be recomputed."


def missing(foreign: ForeignSentence) -> str:
    """Say which numbers of the sentence the stepper cannot show."""
    if foreign.trace is not None:
        return "A trace made by Regard, with every number of the translation."
    if foreign.links:
        return "This file holds links only: which token goes with which. There are no weights, scores or states."
    if foreign.given is not None and (foreign.given.layered or foreign.given.probabilities is not None):
        layers, heads = foreign.given.heads[foreign.given.main].shape[:2]
        known = " and the probability of each token" if foreign.given.probabilities is not None else ""
        return f"This file holds the weights of {layers} × {heads} heads (layers × heads){known}, and no vectors."
    return (
        "This file holds weights only; scores, states and the output distribution stay inside the program that made it."
    )


def sums(foreign: ForeignSentence) -> str:
    """Say what the rows sum to, unless that is 1; "" for links."""
    low, high = float(foreign.sums.min()), float(foreign.sums.max())
    if foreign.links or max(abs(low - 1), abs(high - 1)) < ROUNDED:
        return ""
    between = f"{low:.5f}" if low == high else f"between {low:.5f} and {high:.5f}"
    return f"The rows of the file sum to {between}: shown as they are."


def picked(reading: ReadFile, index: int) -> str:
    """Return a sentence's label in the list."""
    one = reading.sentences[index]
    text = one.alignment.target.text or "(empty)"
    return f"{index + 1}: {text if len(text) <= 70 else text[:69] + '…'}"


def confident(foreign: ForeignSentence) -> str:
    """Say how confident the alignment is, if it has weights between two sentences."""
    if foreign.links or (foreign.given is not None and foreign.given.main == "self"):
        return ""
    found = confidence(foreign.alignment.weights)
    return CONFIDENCE.format(total=found.total, coverage=found.coverage, rows=found.rows, columns=found.columns)


def origin(foreign: ForeignSentence, clicked: Mapping[str, object] | None, divided: bool = False) -> str:
    """Say where a number comes from; `clicked` comes from the browser and is not trusted. `divided` says that columns
    were left out and rows divided by what is left."""
    if foreign.trace is not None:
        return UNKNOWN
    given, rows, said = clicked or {}, (clicked or {}).get("rows"), PRESS
    if given.get("kind") == "head_weight" and foreign.given is not None:
        said = _of_head(foreign.given, given)
    elif given.get("kind") == "weight":
        said = _token(foreign, given.get("step"), given.get("position"))
    elif given.get("kind") == "word_weight" and rows in (*ROWS, STEP):
        said = _word(foreign, str(rows), given.get("row"), given.get("column"))
    return f"{said.replace('the file has', 'the picture has')} {DIVIDED}" if divided and said != PRESS else said


def _of_head(given: GivenAttention, clicked: Mapping[str, object]) -> str:
    """Describe a weight of one head, or of the mean of the heads of a layer."""
    attention, layer, head, row, column = (
        clicked.get(name) for name in ("attention", "layer", "head", "row", "column")
    )
    if not isinstance(attention, str) or attention not in given.heads:
        return PRESS
    layers, heads, rows, columns = given.heads[attention].shape
    if not (_among(layer, layers) and _among(row, rows) and _among(column, columns)):
        return PRESS
    where = f"layer {layer + 1} of the {ATTENTION_NAMES[attention]}, row {row + 1}, column {column + 1}"
    weights = given.heads[attention][layer, :, row, column]
    if _among(head, heads):
        return f"Head {head + 1} of {where}: the file has {weights[head]!s}."
    return f"The mean of the {heads} heads of {where}: {weights.mean(dtype=float):.6g}."


def _token(foreign: ForeignSentence, step: object, position: object) -> str:
    alignment = foreign.alignment
    if not _among(step, len(alignment.target.tokens)) or not _among(position, len(alignment.source.tokens)):
        return PRESS
    pair = f"“{alignment.target.tokens[step].strip()}” and “{alignment.source.tokens[position].strip()}”"
    value = alignment.weights[step, position]
    if foreign.links:
        return f"{pair} are {'linked' if value else 'not linked'} in the sentence of line {foreign.line}."
    return f"Between {pair} the file has {value!s} (sentence of line {foreign.line}, step {step + 1})."


def _word(foreign: ForeignSentence, rows: str, row: object, column: object) -> str:
    """Describe the tokens of a pair of words: summed over the source, averaged over the target."""
    alignment = foreign.alignment
    merged = alignment.by_words(rows)
    if not _among(row, len(merged.rows)) or not _among(column, len(merged.columns)):
        return PRESS
    steps = [step for step, of in enumerate(merged.row_of) if of == row]
    positions = [place for place, of in enumerate(alignment.source.word_of) if of == column]
    if len(steps) == len(positions) == 1:
        return _token(foreign, steps[0], positions[0])
    pair = f"“{merged.rows[row].strip()}” and “{merged.columns[column]}”"
    values = alignment.weights[steps][:, positions]
    if foreign.links:
        return f"{pair}: {int(values.sum())} of the {values.size} pairs of their tokens are linked."
    sums = " + ".join(f"({' + '.join(map(str, each))})" if len(positions) > 1 else str(each[0]) for each in values)
    mean = f"({sums}) / {len(steps)}" if len(steps) > 1 else sums
    return f"Between {pair}, from their tokens: {mean} = {merged.weights[row, column]:.6g}."


def _among(place: object, count: int) -> TypeGuard[int]:
    return type(place) is int and 0 <= place < count
