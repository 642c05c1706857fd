"""Measurements behind the sheet of common errors: each is computed from a trained model or read from its scores.

Every function returns the sentence that stands beside a claim, so that its numbers cannot go out of date.
"""

import math
from collections import Counter

from regard.app.figures.measures import named
from regard.app.models.analyses import at_once_difference, influence_by_third, place_keeping
from regard.app.models.models import pretrained, scores
from regard.app.models.traces import trace
from regard.app.screens.worked_examples.claims import CONCAT, DOT, MULTIPLICATIVE, NONE
from regard.app.theme import component, percent
from regard.app.wording import listed
from regard.model.alignment import token_label
from regard.model.analysis.claims import multiplications
from regard.model.evaluation.scores_record import agreement, counterfactuals, greedy, taus, tests

SHOWN = MULTIPLICATIVE  # Luong's general score without input feeding, as most of the documents have it
REVERSAL, TRAINED, SYMBOLS = "reverse-gru", 20, 10
LOVE = "I love you."
BOY = "The boy who is wearing a blue shirt is playing football."  # a document's example
LONG = (
    BOY,
    "A man in a red shirt is standing next to a small dog in front of an old house.",
    "She bought a red car because her old one was too slow for the long road.",
    "I love you in the park while a girl is reading a book because it is a beautiful day.",
)


def gradient_shares() -> str:
    made = trace(SHOWN, LOVE, "")
    step = int(made.weights.max(1).argmax())
    row = made.weights[step]
    most, least = int(row.argmax()), int(row.argmin())
    return (
        "Through c = Σ α h an annotation gets the gradient times its weight. Where “I love you.” becomes "
        f"“{made.text}”, step {step + 1} gives “{token_label(made.source[most])}” {percent(float(row[most]))} of it "
        f"and “{token_label(made.source[least])}” {small(float(row[least]))}: direct for one token, shut for another."
    )


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


def shared_words() -> str:
    made = trace(SHOWN, BOY, "")
    looked = made.weights.argmax(1).tolist()
    place, count = Counter(looked).most_common(1)[0]
    writing = [token_label(token) for token, at in zip(made.target, looked, strict=True) if at == place]
    return (
        f"On this very sentence the model writes “{made.text}”. Its {len(looked)} steps look most at "
        f"{len(set(looked))} different tokens; “{token_label(made.source[place])}” gets the most weight at {count} of "
        f"the steps, for {listed([f'“{token}”' for token in writing])}."
    )


def early_words() -> str:
    first, middle, last = map(percent, influence_by_third(NONE, LONG))
    return (
        "An encoder that reads both ways ends one of its readings at the first word. In the model without attention "
        f"here, leaving out a token changes a step by {first} on average if it stands in the first third of "
        f"{len(LONG)} long sentences, {middle} in the middle and {last} in the last third."
    )


def only_translation() -> str:
    attending, without = (agreement(scores(name))["output"]["aer"] for name in (SHOWN, NONE))
    return (
        "Links between words exist in translation; a summary has none to agree with. In translation the error rate "
        f"against people's links is {component(attending)} with attention and {component(without)} without."
    )


def look_is_no_link() -> str:
    overall = agreement(scores(SHOWN))
    return (
        "Where a model looks can be measured against the links that people drew: over "
        f"{overall['pairs']} sentence pairs the weights have an alignment error rate of "
        f"{component(overall['output']['aer'])}. Whether they explain the output is another question."
    )


def parallel() -> str:
    return (
        "It is the recurrence that has to wait, not attention, which is one matrix product. In training, Luong's "
        "wiring without input feeding looks for all steps at once; the largest difference from one step at a time "
        f"is {significant(at_once_difference(SHOWN, BOY))}."
    )


def cost() -> str:
    made = trace(SHOWN, BOY, "")
    steps, positions = made.weights.shape
    attention, rest = multiplications(pretrained(SHOWN), made)
    return (
        "Its cost grows with source times target length, but most of the work lies elsewhere. For "
        f"{positions} source tokens and {steps} steps, attention takes {attention / 1e6:.1f} million multiplications "
        f"and the rest of the decoder {rest / 1e6:.1f} million: {percent(attention / (attention + rest))} of all."
    )


def not_overfitting() -> str:
    attending, without = (scores(name) for name in (SHOWN, NONE))
    test = next(iter(tests(attending)))
    one, other = (greedy(each, test)["bleu"]["score"] for each in (attending, without))
    parameters = attending["model"]["parameters"]
    score = parameters - scores(DOT)["model"]["parameters"]
    return (
        f"The general score has {score:,} of {parameters:,} parameters ({percent(score / parameters)}), the dot score "
        f"none. On {named(test)}, which neither model saw, BLEU is {one:.1f} with attention and {other:.1f} without."
    )


def long_sentences() -> str:
    attending = scores(SHOWN)
    test = next(iter(tests(attending)))
    *_, before, longest = greedy(attending, test)["by_length"]
    return (
        f"Attention ensures nothing. On {named(test)} BLEU is {before['bleu']:.1f} at {_words(before)} words and "
        f"{longest['bleu']:.1f} at {_words(longest)}."
    )


def _words(bucket: dict) -> str:
    return " to ".join(map(str, bucket["words"]))


def own_mistakes() -> str:
    shares = place_keeping(REVERSAL, TRAINED, SYMBOLS)
    return (
        "It also has a price: the model never meets its own mistakes. The network here that reverses numbers keeps to "
        f"its line at {percent(shares.own)} of its steps when fed its own numbers, at {percent(shares.one_wrong)} "
        f"with one wrong number, and at {percent(shares.random)} with random ones."
    )


def three_scores() -> str:
    test = next(iter(tests(scores(SHOWN))))
    told = ", ".join(
        f"{kind} {greedy(scores(name), test)['bleu']['score']:.1f}"
        for kind, name in (("dot", DOT), ("general", MULTIPLICATIVE), ("concat", CONCAT))
    )
    return (
        "Luong, Pham and Manning compare several scores, dot, general and concat among them. The same network with "
        f"each: BLEU {told} on {named(test)}."
    )


def anti_diagonal() -> str:
    return (
        "Reversal makes the anti-diagonal, from the upper right to the lower left; the diagonal would be copying. The "
        f"network here is on the anti-diagonal at {percent(place_keeping(REVERSAL, TRAINED, SYMBOLS).own)} of its "
        "steps."
    )


def words_by_rule() -> str:
    alignment = trace(SHOWN, LOVE, "").alignment
    asked, spoken = alignment.source.lettered, alignment.target.lettered
    return (
        "Neither length is fixed. By the rule of this app, which counts “t'” as a word, the example has "
        f"{len(asked)} words on one side and {len(spoken)} on the other: {', '.join(spoken)}."
    )
