"""The exercises of one decoder step: a score, the weights, the context, the next token, and the heatmap."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import fsum, prod

import numpy as np

from regard.model.alignment import token_label
from regard.model.arithmetic.derivation import Derivation
from regard.model.arithmetic.quantity import Quantity, source_text
from regard.model.arithmetic.recurrent import work_out
from regard.model.input_error import InputError, check_choice
from regard.model.reference.recompute import Parameters as Parameters
from regard.model.reference.recompute import Recomputation
from regard.model.trace import Maker, Trace
from regard.model.words import END
from regard.model.worksheet.heatmap_exercise import HeatmapExercise, reading
from regard.model.worksheet.rounding import (
    FINEST,
    SHARE_DIGITS,
    Chances,
    Products,
    SoftmaxExercise,
    chances,
    gives,
    places,
    products,
    weights,
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

    source: str
    target: str
    languages: tuple[str, str]
    maker: Maker
    version: str
    step: int
    steps: int
    asking: int
    fed: str
    produced: str
    given: bool  # whether `produced` is part of a given translation
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
    def copied(self) -> int:
        """The line of the weights whose score is the first exercise's answer; −1 if that is too rough or not there."""
        score = self.weights.lines[self.word_line].given[0]
        return self.word_line if self.score.lines and gives(self.score.totals[0], score) else -1

    @property
    def greatest(self) -> str:
        """The greatest score of the weights; "" if the first exercise asks for it."""
        asked = self.copied >= 0 and self.weights.lines[self.copied].given[0] == self.weights.greatest
        return "" if asked else self.weights.greatest


def worksheet(trace: Trace, recomputation: Recomputation, parameters: Parameters, step: int, version: str) -> Worksheet:
    """Build the exercises on one step of a translation; `recomputation` is made from its ids by `parameters`. Raises
    InputError for an unknown step or version, and for numbers that are not finite."""
    check_choice("version", version, tuple(VERSIONS))
    Quantity("log_normaliser", step=step).check(trace)
    _check(trace, step)
    number, shown = VERSIONS.index(version), _shown(trace, step)
    heaviest = sorted(shown, key=lambda position: -trace.weights[step, position])
    asked = Quantity("score", step=step, position=heaviest[number % len(heaviest)])
    working = work_out(asked, trace, recomputation, parameters)
    components = _components(trace, step, number)
    side, (softmax, context) = trace.alignment, _weights_and_context(trace, step, shown, components)
    return Worksheet(
        source=side.source.text,
        target=side.target.text,
        languages=(side.source.language, side.target.language),
        maker=trace.maker,
        version=version,
        step=step,
        steps=len(trace.target),
        asking=working.asking,
        fed=token_label(side.fed()[step]),
        produced=token_label(trace.target[step]),
        given=trace.stop == "forced",
        form=working.form,
        word=source_text(trace, asked.position),
        word_line=shown.index(asked.position),
        score=_score(working, places(softmax.lines[0].given[0])),
        weights=softmax,
        components=components,
        context=context,
        output=_output(trace, step),
        reading=reading(side, step),
    )


def widest(trace: Trace) -> int:
    """Return the step with the most evenly spread weights, among those that write letters or digits. Steps with equal
    scores, such as a first step whose state is zero, come last."""
    words = np.array([any(map(str.isalnum, token)) and token != END for token in trace.target])
    rank = 2 * words + (np.ptp(trace.scores, axis=1) > 0)
    return int(np.where(rank == rank.max(), trace.entropy, -1).argmax())


def _check(trace: Trace, step: int) -> None:
    rows = (trace.scores[step], trace.contexts[step], trace.top_logits[step], trace.log_normaliser[step])
    if not all(np.isfinite(row).all() for row in rows):
        raise InputError(f"step {step + 1} has numbers that are not finite; nobody can calculate with them")


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


def _others(trace: Trace, step: int, shown: list[int]) -> list[int]:
    return [position for position in np.flatnonzero(trace.mask[step]).tolist() if position not in shown]


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
    tried: list[tuple[SoftmaxExercise, Products]] = []
    for decimals in range(SHARE_DIGITS, FINEST):
        softmax = _weights(trace, step, shown, decimals)
        with suppress(InputError):
            context = _context(trace, step, shown, components, [line.found[1] for line in softmax.lines])
            tried.append((softmax, context))
            if places(context.totals[0]) and all(map(float, context.totals)):
                return softmax, context
    if not tried:
        raise InputError(f"the weights of step {step + 1} cannot be written so that they make its context")
    return max(tried, key=lambda pair: places(pair[1].totals[0]))


def _weights(trace: Trace, step: int, shown: list[int], decimals: int) -> SoftmaxExercise:
    others = _others(trace, step, shown)
    return weights(
        [source_text(trace, position) for position in shown],
        trace.scores[step, shown].tolist(),
        trace.scores[step, others].tolist(),
        trace.weights[step, shown].tolist(),
        decimals,
    )


def _context(
    trace: Trace, step: int, shown: list[int], components: tuple[int, ...], weights: Sequence[str]
) -> Products:
    """Return the products of the weights, as the softmax gave them, and the annotations."""
    others, wide = _others(trace, step, shown), trace.annotations.astype(np.float64)
    return products(
        [source_text(trace, position) for position in shown],
        trace.weights[step, shown].tolist(),
        [wide[shown, component].tolist() for component in components],
        [float(trace.weights[step, others] @ wide[others, component]) for component in components],
        len(others),
        [float(trace.contexts[step, component]) for component in components],
        copied=weights,
    )


def _output(trace: Trace, step: int) -> Chances:
    """Return the likeliest tokens, and the produced one if it is not among them, as in a given translation."""
    ids = trace.top_ids[step, :LIKELIEST].tolist()
    names, logits = list(trace.top_tokens[step][:LIKELIEST]), trace.top_logits[step, :LIKELIEST].tolist()
    if int(trace.target_ids[step]) not in ids:
        names, logits = [*names, trace.target[step]], [*logits, float(trace.logits[step])]
    normaliser = float(trace.log_normaliser[step])
    probabilities = np.exp(np.array(logits) - normaliser).tolist()
    return chances(list(map(token_label, names)), logits, normaliser, probabilities)
