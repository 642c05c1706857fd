"""The exercises of one decoder step: a score, the weights, the context, the next token, and the heatmap
with questions about one of its rows.

Digits are chosen so that calculating with the printed numbers, in sums, products and softmax, gives the printed
results.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import product
from math import exp, fsum, prod
from typing import NamedTuple

import numpy as np

from regard.model.alignment import Alignment, token_label
from regard.model.arithmetic.quantity import Quantity, source_text
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.input_error import InputError, check_choice
from regard.model.reference.recompute import Parameters as Parameters
from regard.model.reference.recompute import Recomputation
from regard.model.trace import Trace
from regard.model.words import END, told_apart

FINEST = 9  # most decimals tried


class Line(NamedTuple):
    """A row of a table: given numbers and numbers to find, as printed."""

    label: str
    given: tuple[str, ...]
    found: tuple[str, ...]


def printed(value: float, places: int) -> str:
    """Round to `places` decimals; zero has no sign."""
    text = f"{value:.{places}f}"
    return text if float(text) else text.lstrip("-")


def rounds_to(value: Decimal, text: str) -> bool:
    """True if a value rounded to the digits of `text` gives `text`, whichever way halves are rounded."""
    return abs(value - Decimal(text)) < Decimal("0.5").scaleb(-places(text))


def places(text: str) -> int:
    """Return the number of decimals."""
    return len(text.partition(".")[2])


def added(numbers: Sequence[str]) -> Decimal:
    return sum(map(Decimal, numbers), Decimal(0))


def results(usual: int) -> Iterator[int]:
    """Yield the decimals to try for a result: the usual number, then more, then fewer."""
    yield from range(usual, FINEST)
    yield from range(usual - 1, -1, -1)


LEAST = 2  # nonzero products that a sum must have, if few digits show them
FEW_DIGITS = 7  # the most digits that count as few
COMPONENT_DIGITS = 2  # decimals of a score or a component, as on the screens


@dataclass(frozen=True)
class Products:
    """Given pairs of factors per line, find the products, a column per sum, and the totals. `rests` are the totals of
    each sum's other products, and `rest_count` their number. Without lines there is no sum."""

    lines: tuple[Line, ...] = ()
    rests: tuple[str, ...] = ()
    rest_count: int = 0
    totals: tuple[str, ...] = ()


def products(
    labels: Sequence[str],
    common: Sequence[float],
    others: Sequence[Sequence[float]],
    rests: Sequence[float],
    rest_count: int,
    totals: Sequence[float],
    usual: int = COMPONENT_DIGITS,
    copied: Sequence[str] = (),
) -> Products:
    """Build the exercise; `others` has the second factors per sum, and the totals have `usual` decimals if possible.
    `copied` are the first factors as printed, if they are results of another exercise. Each sum has at least two
    products that are not printed as zeros, if some digits show them. Raises InputError if no digits give the totals."""
    for least, result in product((LEAST, 0), results(usual)):
        wanted = tuple(printed(total, result) for total in totals)
        for term in range(result, FEW_DIGITS if least else FINEST):
            columns = [
                tuple(printed(one * other, term) for one, other in zip(common, column, strict=True))
                for column in others
            ]
            if any(sum(bool(float(number)) for number in column) < least for column in columns):
                continue
            left = tuple(printed(rest, term) for rest in rests)
            sums = [added([*column, rest]) for column, rest in zip(columns, left, strict=True)]
            if not all(rounds_to(each, total) for each, total in zip(sums, wanted, strict=True)):
                continue
            for factor in range(COMPONENT_DIGITS, FINEST):
                firsts = copied or [printed(one, factor) for one in common]
                given = [firsts, *([printed(other, factor) for other in column] for column in others)]
                lines = tuple(map(Line, labels, zip(*given, strict=True), zip(*columns, strict=True)))
                if all(map(_comes_out, lines)):
                    return Products(lines, left, rest_count, wanted)
    raise InputError(f"the products of {labels} cannot be written so that they make {totals}")


def _comes_out(line: Line) -> bool:
    one, *others = map(Decimal, line.given)
    return all(rounds_to(one * other, total) for other, total in zip(others, line.found, strict=True))


FEWER = 2  # digits that a sum may have fewer than its terms
SHARE_DIGITS = 3  # decimals of a share: one decimal in percent, as on the screens


@dataclass(frozen=True)
class SoftmaxExercise:
    """Given scores, find e^(score − greatest), then their sum, then the weights. `rest` is the sum of the powers of all
    other scores, and `rest_count` their number."""

    lines: tuple[Line, ...]
    greatest: str
    rest: str
    rest_count: int
    total: str


@dataclass(frozen=True)
class Chances:
    """Given logits, find e^(logit − log-normaliser), and the rest for all other tokens."""

    lines: tuple[Line, ...]
    log_normaliser: str
    rest: str


def weights(
    labels: Sequence[str],
    scores: Sequence[float],
    others: Sequence[float],
    shares: Sequence[float],
    usual: int = SHARE_DIGITS,
) -> SoftmaxExercise:
    """Build the exercise; `others` are scores in the rest, and the shares have `usual` decimals if possible. Raises
    InputError if no digits give the shares."""
    greatest = max(*scores, *others)
    exact = [exp(score - greatest) for score in scores]
    left = fsum(exp(score - greatest) for score in others)
    for result in results(usual):
        wanted = [printed(share, result) for share in shares]
        for term in range(max(1, result), FINEST):
            powers, rest = [printed(power, term) for power in exact], printed(left, term)
            total = _total(fsum(exact) + left, added([*powers, rest]), term)
            if not total or not all(map(rounds_to, (Decimal(power) / Decimal(total) for power in powers), wanted)):
                continue
            for digits in range(2, FINEST):
                given, most = [printed(score, digits) for score in scores], printed(greatest, digits)
                if all(map(partial(_power, most), given, powers)):
                    lines = map(Line, labels, zip(given, strict=True), zip(powers, wanted, strict=True))
                    return SoftmaxExercise(tuple(lines), most, rest, len(others), total)
    raise InputError(f"the scores {scores} cannot be written so that they make {shares}")


def chances(
    labels: Sequence[str], logits: Sequence[float], log_normaliser: float, probabilities: Sequence[float]
) -> Chances:
    """Build the exercise. Raises InputError if no digits give the probabilities."""
    whole = ((0, result) for result in (SHARE_DIGITS, SHARE_DIGITS + 1))  # the rest has all digits of the others' sum
    for fewer, result in (*whole, *((FEWER, result) for result in results(SHARE_DIGITS))):
        wanted = [printed(probability, result) for probability in probabilities]
        rest = _total(1 - fsum(probabilities), 1 - added(wanted), result, fewer)
        if not rest:
            continue
        for digits in range(2, FINEST):
            given, normaliser = [printed(logit, digits) for logit in logits], printed(log_normaliser, digits)
            if all(map(partial(_power, normaliser), given, wanted)):
                lines = map(Line, labels, zip(given, strict=True), zip(wanted, strict=True))
                return Chances(tuple(lines), normaliser, rest)
    raise InputError(f"the logits {logits} cannot be written so that they make {probabilities}")


def _total(exact: float, redone: Decimal, most: int, fewer: int = FEWER) -> str:
    """Return a sum that follows from its printed terms, with as many digits or up to `fewer` fewer; "" if none does."""
    tries = (printed(exact, digits) for digits in range(most, max(0, most - fewer - 1), -1))
    return next((each for each in tries if rounds_to(redone, each)), "")


def _power(taken: str, number: str, power: str) -> bool:
    """True if e to the power of the difference rounds to the printed power."""
    return rounds_to((Decimal(number) - Decimal(taken)).exp(), power)


MOST_ROWS = 10  # rows or columns that fit on paper


@dataclass(frozen=True)
class HeatmapExercise:
    """Weights between words in percent; `others` is the sum of each row's columns that are left out.

    The answers are the heaviest columns of row `row`, several if their printed numbers are equal. `alone` is true if a
    single step wrote the row's word, so the row is not a mean.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    others: tuple[str, ...]
    row: int
    alone: bool
    heaviest: tuple[str, ...]


def reading(alignment: Alignment, step: int) -> HeatmapExercise:
    """Build the exercise for the row of the word that `step` produced."""
    merged = alignment.by_words("output")
    row = merged.row_of[step]
    first = max(0, min(row - MOST_ROWS // 2, len(merged.rows) - MOST_ROWS))
    rows = range(first, min(first + MOST_ROWS, len(merged.rows)))
    shown = merged.weights[rows.start : rows.stop]
    columns = np.sort(np.argsort(-shown.sum(0), kind="stable")[:MOST_ROWS])
    left = np.delete(shown, columns, axis=1).sum(1)
    cells = tuple(tuple(printed(100 * float(weight), 1) for weight in line[columns]) for line in shown)
    percentages = cells[row - first]
    names, greatest = told_apart(merged.columns), max(percentages, key=float)
    return HeatmapExercise(
        rows=tuple(told_apart(merged.rows)[index] for index in rows),
        columns=tuple(names[column] for column in columns),
        cells=cells,
        others=tuple(printed(100 * float(rest), 1) for rest in left) if len(columns) < len(names) else (),
        row=row - first,
        alone=merged.row_of.count(row) == 1,
        heaviest=tuple(names[column] for column, cell in zip(columns, percentages, strict=True) if cell == greatest),
    )


VERSIONS = "ABCDEF"  # versions of a step's sheet, with other words and components
KEPT = 4  # products in the score to find
SHOWN_TOKENS = 9  # up to this many source tokens, all are shown
HEAVIEST = 7  # of more tokens, this many
LIKELIEST = 4  # next tokens whose probability is to be found


@dataclass(frozen=True)
class Worksheet:
    """Exercises with their answers. `step` counts from 0; `asking` is the step whose state asks, −1 before the first.

    `word` is the source token whose score is to be found, in line `word_line` of the weights; `products` of `form`
    "score/none" has no lines, because a model without attention computes no score. `components` of the context count
    from 0.
    """

    trace: Trace
    version: str
    step: int
    asking: int
    form: str
    word: str
    word_line: int
    score: Products
    weights: SoftmaxExercise
    components: tuple[int, ...]
    context: Products
    output: Chances
    reading: HeatmapExercise

    @property
    def languages(self) -> tuple[str, str]:
        return self.trace.alignment.source.language, self.trace.alignment.target.language

    @property
    def copied(self) -> int:
        """The line of the weights whose score is the first exercise's answer; −1 if that is too rough or not there."""
        if not self.score.lines:
            return -1
        result, score = self.score.totals[0], self.weights.lines[self.word_line].given[0]
        return self.word_line if Decimal(result) == Decimal(score) or places(result) > places(score) else -1

    @property
    def greatest(self) -> str:
        """The greatest score of the weights; "" if the first exercise asks for it."""
        is_answer = self.copied >= 0 and self.weights.lines[self.copied].given[0] == self.weights.greatest
        return "" if is_answer else self.weights.greatest


def worksheet(trace: Trace, recomputation: Recomputation, parameters: Parameters, step: int, version: str) -> Worksheet:
    """Build the exercises on one step of a translation; `recomputation` is made from its ids by `parameters`. Raises
    InputError for an unknown step or version, and for numbers that are not finite."""
    check_choice("version", version, tuple(VERSIONS))
    Quantity("log_normaliser", step=step).check(trace)
    rows = (trace.scores[step], trace.contexts[step], trace.top_logits[step], trace.log_normaliser[step])
    if not all(np.isfinite(row).all() for row in rows):
        raise InputError(f"step {step + 1} has numbers that are not finite; nobody can calculate with them")
    number, shown = VERSIONS.index(version), _shown(trace, step)
    heaviest = sorted(shown, key=lambda position: -trace.weights[step, position])
    score = Quantity("score", step=step, position=heaviest[number % len(heaviest)])
    working = work_out(score, trace, recomputation, parameters)
    components = _components(trace, step, number)
    softmax, context = _weights_and_context(trace, step, shown, components)
    return Worksheet(
        trace=trace,
        version=version,
        step=step,
        asking=working.asking,
        form=working.form,
        word=source_text(trace, score.position),
        word_line=shown.index(score.position),
        score=_score(working, places(softmax.lines[0].given[0])),
        weights=softmax,
        components=components,
        context=context,
        output=_output(trace, step),
        reading=reading(trace.alignment, step),
    )


def widest(trace: Trace) -> int:
    """Return the step with the most evenly spread weights, among those that write letters or digits. Steps with equal
    scores, such as a first step whose state is zero, come last."""
    words = np.array([any(map(str.isalnum, token)) and token != END for token in trace.target])
    rank = 2 * words + (np.ptp(trace.scores, axis=1) > 0)
    return int(np.where(rank == rank.max(), trace.entropy, -1).argmax())


def _shown(trace: Trace, step: int) -> list[int]:
    """Return the source tokens in the table: all that are reachable, or the heaviest."""
    allowed = np.flatnonzero(trace.mask[step])
    if len(allowed) > SHOWN_TOKENS:
        allowed = np.sort(allowed[np.argsort(-trace.weights[step, allowed], kind="stable")[:HEAVIEST]])
    return allowed.tolist()


def _components(trace: Trace, step: int, number: int) -> tuple[int, ...]:
    """Return two components of the context to which more than one token contributes."""
    products = np.sort(np.abs(trace.weights[step][:, None] * trace.annotations), axis=0)
    ranked = np.argsort(-products[-2:][0], kind="stable")[: 2 * len(VERSIONS)].tolist()
    return tuple(sorted(ranked[(2 * number) % len(ranked) :][:2]))


def _score(working: Derivation, decimals: int) -> Products:
    """Return the products and their sum, with the decimals that the scores have in the softmax if possible."""
    kept, folded = working.terms[:KEPT], working.terms[KEPT:]
    if working.shown is None or not kept:
        return Products()
    return products(
        [str(term.opens[0].component + 1) for term in kept],
        [term.factors[0] for term in kept],
        [[prod(term.factors[1:]) for term in kept]],
        [fsum([working.rest_value, *(term.value for term in folded)])],
        working.rest_count + len(folded),
        [working.shown],
        decimals,
    )


def _weights_and_context(
    trace: Trace, step: int, shown: list[int], components: tuple[int, ...]
) -> tuple[SoftmaxExercise, Products]:
    """Return softmax and context, whose weights have as many decimals as the context's sums need: the fewest that make
    both sums other than 0 and not whole numbers, or else the most exact."""
    others = [position for position in np.flatnonzero(trace.mask[step]).tolist() if position not in shown]
    labels, wide = [source_text(trace, position) for position in shown], trace.annotations.astype(np.float64)
    scores, shares = trace.scores[step], trace.weights[step]
    tried: list[tuple[SoftmaxExercise, Products]] = []
    for decimals in range(SHARE_DIGITS, FINEST):
        softmax = weights(labels, scores[shown].tolist(), scores[others].tolist(), shares[shown].tolist(), decimals)
        with suppress(InputError):
            context = products(
                labels,
                shares[shown].tolist(),
                [wide[shown, component].tolist() for component in components],
                [float(shares[others] @ wide[others, component]) for component in components],
                len(others),
                [float(trace.contexts[step, component]) for component in components],
                copied=[line.found[1] for line in softmax.lines],
            )
            tried.append((softmax, context))
            if places(context.totals[0]) and all(map(float, context.totals)):
                return softmax, context
    if not tried:
        raise InputError(f"the weights of step {step + 1} cannot be written so that they make its context")
    return max(tried, key=lambda pair: places(pair[1].totals[0]))


def _output(trace: Trace, step: int) -> Chances:
    """Return the likeliest tokens, and the produced one if it is not among them, as in a given translation."""
    ids = trace.top_ids[step, :LIKELIEST].tolist()
    names, logits = list(trace.top_tokens[step][:LIKELIEST]), trace.top_logits[step, :LIKELIEST].tolist()
    if int(trace.target_ids[step]) not in ids:
        names, logits = [*names, trace.target[step]], [*logits, float(trace.logits[step])]
    normaliser = float(trace.log_normaliser[step])
    probabilities = np.exp(np.array(logits) - normaliser).tolist()
    return chances(list(map(token_label, names)), logits, normaliser, probabilities)
