"""Claims: what documents say about attention in general, beside what was measured for the models here.

All numbers are read from the `scores.json` of each model; the models differ only in what a claim compares and in
anything else that the verdict names.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import streamlit as st

from regard.app.figures.measures import named
from regard.app.models.models import scores
from regard.app.models.registry import model_names
from regard.app.ui.widgets import table
from regard.model.evaluation.scores_record import Scores, greedy, part, tests

ADDITIVE, CONCAT, MULTIPLICATIVE, DOT, NONE = (
    f"en-fr-{name}" for name in ("bahdanau", "concat", "general", "dot", "none")
)
CALLED = {
    ADDITIVE: "Bahdanau",
    CONCAT: "Luong, concat",
    MULTIPLICATIVE: "Luong, general",
    DOT: "Luong, dot",
    NONE: "no attention",
}
INTRO = (
    "Several documents say which attention is better, faster or larger. The models here share text, tokenizer, sizes "
    "and number of updates, one run each: what follows is true for them; it is not a law. Where two intervals overlap, "
    "nothing is decided: only a paired test, on the same sentences, could tell two such models apart."
)


class Claim(NamedTuple):
    """`models` are compared; `measure` states one model's measurement, `judge` the verdict on all of them."""

    said: str
    models: tuple[str, ...]
    measure: Callable[[Scores], str]
    judge: Callable[..., str]  # takes the scores of `models`, in their order


def claims() -> None:
    """Draw the table *What people say, what we measured*; nothing where models or their scores are missing."""
    measures = {name: scores(name) for name in CALLED if name in model_names()}
    rows = [row(claim, measures) for claim in CLAIMS if all(measures.get(name) for name in claim.models)]
    if rows:
        st.header("What people say, what we measured")
        st.markdown(INTRO)
        table(rows, "Claims, and the measurements of the models beside each")


def row(claim: Claim, measures: Mapping[str, Scores]) -> dict[str, str]:
    measured = "; ".join(f"{CALLED[name]}: {claim.measure(measures[name])}" for name in claim.models)
    verdict = claim.judge(*(measures[name] for name in claim.models))
    return {"What people say": claim.said, "Measured here": measured, "So": verdict}


def bleu(measured: Scores) -> str:
    """Return BLEU by greedy decoding on every test."""
    return ", ".join(f"{named(test)} {greedy(measured, test)['bleu']['score']:.1f}" for test in tests(measured))


def bleu_of_the_longest(measured: Scores) -> str:
    """Return BLEU on the longest sentences of every test, with its interval."""
    longest = {test: greedy(measured, test)["by_length"][-1] for test in tests(measured)}
    return ", ".join(
        f"{named(test)} {each['bleu']:.1f} [{each['interval'][0]:.1f}, {each['interval'][1]:.1f}]"
        for test, each in longest.items()
    )


def milliseconds(measured: Scores) -> str:
    return f"{part(measured, 'speed')['milliseconds_a_sentence']:.0f} ms per sentence"


def parameters(measured: Scores) -> str:
    return f"{measured['model']['parameters']:,}"


def better(one: Scores, other: Scores) -> str:
    """Say on how many of the tests the first has the higher BLEU."""
    pairs = [
        (greedy(one, test)["bleu"]["score"], greedy(other, test)["bleu"]["score"])
        for test in tests(one)
        if test in tests(other)
    ]
    higher = sum(first > second for first, second in pairs)
    if higher in (0, len(pairs)):
        return f"{'Higher' if higher else 'Lower'} on every test."
    return f"Higher on {higher} of {len(pairs)} tests, lower on the others."


def better_for_long(one: Scores, other: Scores) -> str:
    """Say on which tests the intervals of the longest sentences lie apart, and which way."""
    both = [test for test in tests(one) if test in tests(other)]
    apart: dict[str, list[str]] = {"higher": [], "lower": []}
    for test in both:
        (low, high), (least, most) = (greedy(each, test)["by_length"][-1]["interval"] for each in (one, other))
        if low > most or high < least:
            apart["higher" if low > most else "lower"].append(named(test))
    name = CALLED[one["model"]["name"]]
    count = sum(map(len, apart.values()))
    if not count:
        return "The 95% intervals overlap on every test: no difference is shown."
    ways = "; ".join(f"{name} is {way} on {', '.join(where)}" for way, where in apart.items() if where)
    rest = "" if count == len(both) else " On the others they overlap, which is inconclusive."
    return f"On {count} of {len(both)} tests the intervals lie apart: {ways}.{rest}"


def slower(one: Scores, other: Scores) -> str:
    first, second = (part(each, "speed")["milliseconds_a_sentence"] for each in (one, other))
    return f"{'It takes' if first > second else 'It does not: it takes'} {first / second:.2f} times as long."


def larger_score(additive: Scores, concat: Scores, general: Scores) -> str:
    """Separate what the additive score adds from what Bahdanau's wiring adds."""
    wired, scored, plain = (each["model"]["parameters"] for each in (additive, concat, general))
    return (
        f"The score itself has {_more(scored - plain)} (concat against general, wired alike). Bahdanau's wiring has "
        f"{_more(wired - scored)}, because its cell reads the context too; that is not the score."
    )


def attention_parameters(general: Scores, dot: Scores, none: Scores) -> str:
    """Separate what a score adds from the bridge that only the model without attention has."""
    learned, plain, without = (each["model"]["parameters"] for each in (general, dot, none))
    return (
        f"The dot score has no parameters; general has {learned - plain:,}. Without attention the network has "
        f"{_more(without - plain)} than with dot: the bridge that makes its initial state."
    )


def _more(difference: int) -> str:
    return f"{abs(difference):,} {'more' if difference >= 0 else 'fewer'}"


CLAIMS = (
    Claim("Bahdanau's accuracy is often better, Luong's slightly lower.", (ADDITIVE, MULTIPLICATIVE), bleu, better),
    Claim(
        "The additive score is better for long sequences. (Here: the longest sentences of each test.)",
        (ADDITIVE, MULTIPLICATIVE),
        bleu_of_the_longest,
        better_for_long,
    ),
    Claim("Bahdanau's is slower, Luong's faster.", (ADDITIVE, MULTIPLICATIVE), milliseconds, slower),
    Claim("Attention requires more parameters.", (MULTIPLICATIVE, DOT, NONE), parameters, attention_parameters),
    Claim("The additive score has more parameters.", (ADDITIVE, CONCAT, MULTIPLICATIVE), parameters, larger_score),
    Claim("Attention loses less on long sentences.", (MULTIPLICATIVE, NONE), bleu_of_the_longest, better_for_long),
)
