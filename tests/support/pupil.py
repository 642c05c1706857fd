"""Calculating a worksheet by hand, with the numbers that are on it, as a pupil does; and sheets to calculate."""

from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from regard.model.checkpoint import Pretrained
from regard.model.reference.recompute import Parameters as Parameters
from regard.model.reference.recompute import Recomputation, load_parameters, recompute
from regard.model.trace import Trace
from regard.model.translate import force, translate
from regard.model.worksheet.sheet import Chances, Products, SoftmaxExercise, Worksheet, places, worksheet

KINDS = {
    "general": {},
    "dot": {"score": "dot"},
    "concat": {"score": "concat", "cell": "gru"},
    "bahdanau": {"score": "concat", "wiring": "bahdanau"},
    "none": {"score": "none", "initial_state": "encoder"},
}
SENTENCES = ("I love you.", "The boy sees the old house, doesn't he?")
Case = tuple[Trace, Recomputation, Parameters]


def rounded(value: Decimal, like: str) -> str:
    """As a pupil writes it down; a half that one school rounds up and another to even fails."""
    unit = Decimal(1).scaleb(-places(like))
    up, even = value.quantize(unit, ROUND_HALF_UP), value.quantize(unit, ROUND_HALF_EVEN)
    assert up == even
    return f"{up if up else abs(up):f}"


def redo_products(given: Products) -> None:
    columns = [[] for _ in given.totals]
    for line in given.lines:
        one, *others = map(Decimal, line.given)
        for column, other, found in zip(columns, others, line.found, strict=True):
            assert rounded(one * other, found) == found
            column.append(Decimal(found))
    for column, rest, total in zip(columns, given.rests, given.totals, strict=True):
        assert rounded(sum(column, Decimal(rest)), total) == total


def redo_weights(given: SoftmaxExercise) -> None:
    powers = []
    for line in given.lines:
        power, _ = line.found
        assert rounded((Decimal(line.given[0]) - Decimal(given.greatest)).exp(), power) == power
        powers.append(Decimal(power))
    assert rounded(sum(powers, Decimal(given.rest)), given.total) == given.total
    for line in given.lines:
        power, weight = line.found
        assert rounded(Decimal(power) / Decimal(given.total), weight) == weight


def redo_chances(given: Chances) -> None:
    left = Decimal(1)
    for line in given.lines:
        (chance,) = line.found
        assert rounded((Decimal(line.given[0]) - Decimal(given.log_normaliser)).exp(), chance) == chance
        left -= Decimal(chance)
    assert rounded(left, given.rest) == given.rest


def redo(sheet: Worksheet) -> None:
    redo_products(sheet.score)
    redo_weights(sheet.weights)
    redo_products(sheet.context)
    redo_chances(sheet.output)


def made(model: Pretrained, sentence: str, target: str = "") -> Case:
    trace = force(model, [(sentence, target)])[0] if target else translate(model, [sentence])[0]
    parameters = load_parameters(model.folder)
    return trace, recompute(parameters, trace.source_ids, trace.target_ids), parameters


def sheets(case: Case) -> Iterator[Worksheet]:
    """One of every step."""
    for step in range(len(case[0].target)):
        yield worksheet(*case, step, "A")
