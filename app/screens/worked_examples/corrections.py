"""Corrections of the documents' statements: sentences composed from measurements of the models here.

A verdict in them follows from the numbers, whichever way they fall.
"""

import math
from bisect import bisect_left
from collections import Counter

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.measures import named
from regard.app.models.analyses import SUMMARISED, at_once_difference, forgetting
from regard.app.models.models import pretrained, scores, snapshots
from regard.app.models.traces import trace
from regard.app.theme import component, percent
from regard.app.wording import counted, listed
from regard.model.alignment import token_label
from regard.model.analysis.claims import (
    GradientPaths,
    gradient_paths,
    kept_without_recurrence,
    mean_interval,
    moved_by_others,
    multiplications,
)
from regard.model.checkpoint import DEFAULT
from regard.model.evaluation.scores_record import Scores, agreement, counterfactuals, greedy, taus, tests
from regard.model.examples.tutorials import THREE_SCORES
from regard.model.training.snapshots import Snapshots

ADDITIVE, CONCAT, MULTIPLICATIVE, DOT, NONE = (
    f"en-fr-{name}" for name in ("bahdanau", "concat", "general", "dot", "none")
)
SHOWN = MULTIPLICATIVE  # Luong's general score without input feeding, as most of the documents have it
REVERSAL, TRAINED = "reverse-gru", 20
PLAIN_REVERSAL, PATTERNLESS = "reverse-gru-none", 5  # numbers that this network, without attention, reverses well
LOVE = "I love you."
BOY = "The boy who is wearing a blue shirt is playing football."  # a document's example
BEGINS = "The boy who is wearing a blue shirt …"
LENGTHS = (100, 1_000, 10_000)  # tokens, at which the work is counted


def small(share: float) -> str:
    """Return a share in percent with two significant digits, however small it is."""
    return f"{significant(100 * share)}%"


def significant(number: float) -> str:
    """Return a number from 0 with two significant digits, however small it is."""
    return f"{number:.{max(1, 1 - math.floor(math.log10(number)))}f}" if number else "0"


def order_of_importance() -> str:
    tau = taus(scores(SHOWN))["leave_one_out"]
    return (
        "A weight is a share of the context, not a measure of importance. Over "
        f"{tau['steps']:,} steps the order of the weights and that of leaving each token out agree with a mean τ of "
        f"{component(tau['mean'])}, where 1 is the same order and 0 chance."
    )


def heaviest_removed() -> str:
    kept = counterfactuals(scores(SHOWN))["all but the maximum"]
    return (
        "The softmax gives nothing exactly zero, and a heavy weight may not be needed. With the heaviest token's "
        f"weight set to 0, {percent(kept['function']['kept'])} of the function words and "
        f"{percent(kept['content']['kept'])} of the content words still come out."
    )


def only_translation() -> str:
    attending, without = (agreement(scores(name))["output"]["aer"] for name in (SHOWN, NONE))
    return (
        "Links between words exist in translation; a summary has none to agree with. In translation the error rate "
        f"against people's links is {component(attending)} with attention and {component(without)} without."
    )


def parallel() -> str:
    return (
        "It is the recurrence that has to wait, not attention, which is one matrix product. In training, Luong's "
        "wiring without input feeding looks for all steps at once; the largest difference from one step at a time "
        f"is {significant(at_once_difference(SHOWN, BOY))}."
    )


def cost() -> str:
    made, model = trace(SHOWN, BOY, ""), pretrained(SHOWN)
    steps, positions = made.weights.shape
    size = made.annotations.shape[1]

    def share(target: int, source: int) -> float:
        attention, rest = multiplications(model, target, source, size)
        return attention / (attention + rest)

    longer = ", ".join(f"for {length:,} of each {percent(share(length, length))}" for length in LENGTHS)
    half = bisect_left(range(LENGTHS[-1]), 0.5, key=lambda length: share(length, length))
    return (
        "The cost of attention grows with source times target length, that of the rest of the decoder with the target "
        f"alone. For {positions} source tokens and {steps} steps attention takes {percent(share(steps, positions))} of "
        f"the decoder's multiplications, {longer}. It passes half at {half:,}."
    )


def three_scores() -> str:
    test = next(iter(tests(scores(SHOWN))))
    general = scores(MULTIPLICATIVE)
    told = [
        f"{component(found['difference'])} [{', '.join(map(component, found['interval']))}] above {kind}"
        for kind, name in (("dot", DOT), ("concat", CONCAT))
        if (found := general["against"][name]["tests"][test])
    ]
    return (
        "Luong, Pham and Manning compare several scores, dot, general and concat among them. The same network with "
        f"each, on {named(test)}: general has a BLEU of {greedy(general, test)['bleu']['score']:.1f}, {listed(told)} "
        "(95% intervals by paired bootstrap)."
    )


def words_by_rule() -> str:
    alignment = trace(SHOWN, LOVE, "").alignment
    asked, spoken = alignment.source.lettered, alignment.target.lettered
    return (
        "Neither length is fixed. By the rule of this app, which counts “t'” as a word, the example has "
        f"{len(asked)} words on one side and {len(spoken)} on the other: {', '.join(spoken)}."
    )


def notation() -> str:
    return (
        "Its h_t and a_t count encoder steps, its s_t counts decoder steps, and its formulas then write i and j for "
        "the two. In the attention formulas of this app t is a decoder step and i a source position."
    )


SUPPORTED = 0.9  # share of different tokens from which a sentence supports “a different word each”


def direct_path() -> str:
    ways, most = _ways(DEFAULT)
    none_back = max(float(np.abs(each.recurrence).max()) for each in _gradients(SHOWN))
    row = trace(DEFAULT, LOVE, "").weights
    context, through_scores, recurrence = ways
    return (
        f"Where “I love you.” becomes “{trace(DEFAULT, LOVE, '').text}”, the gradient of a step's log p that reaches "
        f"the annotations is, as a mean over {most} steps, {context:.3f} long through the context, "
        f"{through_scores:.3f} through the scores and {recurrence:.3f} through the recurrence of the decoder, which in "
        f"the first model is fed its h̃: {main_way(context, through_scores, recurrence)} In “Luong, general” the "
        f"greatest component through the recurrence is {significant(none_back)}. By the direct path an annotation gets "
        f"the gradient times its weight, here from {percent(float(row.max()))} down to {small(float(row.min()))}."
    )


def _gradients(name: str) -> list[GradientPaths]:
    made = trace(name, LOVE, "")
    return [gradient_paths(pretrained(name), made, step) for step in range(len(made.target))]


def _ways(name: str) -> tuple[list[float], int]:
    """Return the mean length of the gradient by each way, and the number of steps."""
    every = _gradients(name)
    return [float(np.mean([np.linalg.norm(way) for way in ways])) for ways in zip(*every, strict=True)], len(every)


def main_way(context: float, through_scores: float, recurrence: float) -> str:
    if context > through_scores + recurrence:
        return "most of it takes the direct path."
    return "the direct path does not carry most of it."


def annotation_is_no_word() -> str:
    made, kept = trace(SHOWN, BOY, ""), counterfactuals(scores(SHOWN))["permuted"]
    moved = moved_by_others(pretrained(SHOWN), made)
    beside = float(np.nanmean([moved[place, place + 1] for place in range(len(moved) - 1)]))
    return (
        "They show which annotations are mixed, and an annotation is not its word alone. "
        f"On “{BEGINS}”, leaving out one other token moves an annotation by {percent(float(np.nanmean(moved)))} of its "
        f"length on average, and by {percent(beside)} if it is the token before. With "
        f"the weights of a step in another order {percent(kept['function']['kept'])} of the function words and "
        f"{percent(kept['content']['kept'])} of the content words still come out."
    )


def invented_numbers() -> str:
    made = trace(SHOWN, LOVE, "")
    looks = [
        f"“{token_label(token)}” at “{token_label(made.source[int(row.argmax())])}” ({percent(float(row.max()))})"
        for token, row in zip(made.target, made.weights, strict=True)
    ]
    return (
        "No model made these numbers: matrices and states are invented, so nothing has been focused, and “t'aime” is "
        f"two words, of which t' is “you”. The model here looks most, for {listed(looks)}."
    )


def any_length() -> str:
    lengths = {each["length"]: each["share"] for each in scores(REVERSAL)["task"]["by_length"]}
    beyond = [TRAINED, TRAINED + 2, max(lengths)]
    told = ", ".join(f"{percent(lengths[length])} of those of {length}" for length in beyond)
    return (
        f"The formulas do; what was learned may not. The network that reverses numbers was trained on up to {TRAINED}; "
        f"of sequences kept from training it writes exactly {told}."
    )


def shared_words() -> str:
    made = trace(SHOWN, BOY, "")
    looked = made.weights.argmax(1).tolist()
    place, count = Counter(looked).most_common(1)[0]
    writing = [token_label(token) for token, at in zip(made.target, looked, strict=True) if at == place]
    return (
        f"On this very sentence the model writes “{made.text}”. Its {len(looked)} steps look most at "
        f"{different(len(set(looked)), len(looked))} “{token_label(made.source[place])}” gets the most weight at "
        f"{counted(count, 'step')}, for {listed([f'“{token}”' for token in writing])}."
    )


def different(tokens: int, steps: int) -> str:
    """Say whether this many different tokens at this many steps support that each step has its own."""
    if tokens == steps:
        return f"{tokens} different tokens, which supports it."
    verdict = "supports it, all but" if tokens / steps >= SUPPORTED else "does not support it."
    return f"{tokens} different tokens, which {verdict}{f' {steps - tokens}:' if verdict.endswith('but') else ''}"


def bilinear() -> str:
    one = THREE_SCORES.matrices()
    both = one | {name: 2 * one[name] for name in ("s", "H")}
    before, after = THREE_SCORES.run(one), THREE_SCORES.run(both)
    grown = {kind: after[f"{kind}_scores"] / before[f"{kind}_scores"] for kind in ("general", "additive")}
    least, most = (component(float(end)) for end in (grown["additive"].min(), grown["additive"].max()))
    return (
        "Dot and general are bilinear: linear in the state and in the annotation, each by itself. In “Three scores on "
        "the same vectors”, both doubled, every general score is "
        f"{component(float(grown['general'].mean()))} times as large. Luong's concat is not linear either: it has the "
        f"tanh of the additive score, which there grows by factors from {least} to {most}."
    )


def early_words() -> str:
    found = forgetting(NONE)
    one_way, both_ways = mean_interval(found.one_way), mean_interval(found.both_ways)
    return (
        f"A reader that goes one way {forgets(one_way)} →h_S, the last state of the reader from the left in the model "
        f"without attention, moves by {_thirds(one_way)} of its length when a token is left out from the first third, "
        f"the middle or the last third of a sentence ({len(found.one_way)} sentences of {SUMMARISED[0]} to "
        f"{SUMMARISED[1]} tokens, 95% intervals). That encoder also reads from the right; the two ends together, which "
        f"its decoder gets, move by {_thirds(both_ways)}. Its left reader was trained beside the other, not alone."
    )


def forgets(thirds: Float[ndarray, "3 3"]) -> str:
    """Say what the intervals of the first and the last third show of a reader that ends at the last."""
    (_, low, high), (_, least, most) = thirds[:, 0], thirds[:, 2]
    if high < least:
        return "does keep less of early words:"
    return "keeps more of early words:" if low > most else "shows no difference: the intervals overlap."


def _thirds(thirds: Float[ndarray, "3 3"]) -> str:
    return listed([f"{percent(mean)} [{percent(low)}, {percent(high)}]" for mean, low, high in thirds.T.tolist()])


def no_arrows() -> str:
    made = trace(SHOWN, BOY, "")
    kept = kept_without_recurrence(pretrained(SHOWN), made)
    return (
        "The drawing has no arrow from one encoder cell to the next, and none that brings the previous word to the "
        f"decoder. On “{BEGINS}”, each step on its own, {kept.words_alone} of {kept.steps} "
        f"tokens still come out if every source token is read by itself, and {kept.nothing_fed} of {kept.steps} if the "
        "start token is fed at every step."
    )


def degraded() -> str:
    return (
        "This stands under Sutskever, Vinyals and Le (2014), whose abstract says of their LSTM, which read its source "
        f"backwards, that it “did not have difficulty on long sentences”. In the model without attention here "
        f"{by_length(scores(NONE))}"
    )


def long_sentences() -> str:
    return f"With attention, in “Luong, general”, {by_length(scores(SHOWN))}"


def by_length(measured: Scores) -> str:
    """Return BLEU of the two longest groups of the first test, and whether their intervals show a fall."""
    test = next(iter(tests(measured)))
    *_, before, longest = greedy(measured, test)["by_length"]
    written = [
        f"{each['bleu']:.1f} [{each['interval'][0]:.1f}, {each['interval'][1]:.1f}] at "
        f"{' to '.join(map(str, each['words']))} words"
        for each in (before, longest)
    ]
    falls = before["interval"][0] > longest["interval"][1]
    return f"BLEU on {named(test)} is {listed(written)}, with 95% intervals: {'it falls' if falls else NO_FALL}."


NO_FALL = "they overlap, so this shows neither a fall nor that accuracy is ensured"


def pattern_is_no_proof() -> str:
    watched = snapshots(REVERSAL)
    recorded = ""
    if watched:
        update, length, on, right = widest_gap(watched)
        recorded = (
            f"At update {update:,} of the recorded training, attention on a sequence of {length} is on the line at "
            f"{percent(on)} of the steps, and {percent(right)} of the numbers are in their place. "
        )
    plain = next(each for each in scores(PLAIN_REVERSAL)["task"]["by_length"] if each["length"] == PATTERNLESS)
    return (
        "The pattern shows where a network looks, not that what it writes is right. (In reversal it is the "
        f"anti-diagonal; the diagonal would be copying.) {recorded}And none is needed: the network without attention "
        f"writes {percent(plain['share'])} of sequences of {PATTERNLESS} exactly."
    )


def widest_gap(watched: Snapshots) -> tuple[int, int, float, float]:
    """Return update, length, share of steps on the line and of numbers right where the line tells least of these."""
    found = []
    for moment in watched.moments:
        for weights, written, pair in zip(moment.weights, moment.translations, watched.pairs, strict=True):
            wanted = pair.target.split()
            turns = len(wanted) - 1 - np.arange(len(wanted))
            on = float((weights[: len(wanted)].argmax(1) == turns).mean())
            right = sum(one == other for one, other in zip(written.split(), wanted, strict=False)) / len(wanted)
            found.append((moment.update, len(wanted), on, right))
    return max((one for one in found if one[1] > 1), key=lambda one: one[2] - one[3])
