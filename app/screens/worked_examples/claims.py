"""Claims: what documents say of attention in general, beside what was measured of the models here, `scores.json`, read
anew.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import streamlit as st

from regard.app.models.models import scores
from regard.app.models.registry import model_names
from regard.app.ui.tables import table
from regard.model.evaluation.scores_record import Scores, greedy, model, speed, tests

ADDITIVE, MULTIPLICATIVE, NONE = "en-fr-bahdanau", "en-fr-general", "en-fr-none"
CALLED = {ADDITIVE: "Bahdanau", MULTIPLICATIVE: "Luong, general", NONE: "no attention"}
INTRO = (
    "Several documents say which attention is better, faster or larger. The models here have the same text, tokenizer, "
    "sizes and number of updates, one run each: what follows is true of them, and no law."
)
APART, TOGETHER = "The intervals do not overlap.", "The 95 % intervals overlap: no difference is shown."


class Claim(NamedTuple):
    """`models` are the two that it compares; `measure` tells of one what was measured, `judge` of both what follows."""

    said: str
    models: tuple[str, str]
    measure: Callable[[Scores], str]
    judge: Callable[[Scores, Scores], str]


def claims() -> None:
    """The table *What people say, what we measured*; nothing where the models are not here with their scores."""
    measures = {name: scores(name) for name in CALLED if name in model_names()}
    rows = [row(claim, measures) for claim in CLAIMS if all(measures.get(name) for name in claim.models)]
    if rows:
        st.header("What people say, what we measured")
        st.markdown(INTRO)
        table(rows, "Claims, and the measurements of two models beside each")


def row(claim: Claim, measures: Mapping[str, Scores]) -> dict[str, str]:
    one, other = (measures[name] for name in claim.models)
    measured = "; ".join(f"{CALLED[name]} {claim.measure(measures[name])}" for name in claim.models)
    return {"What people say": claim.said, "Measured here": measured, "So": claim.judge(one, other)}


def bleu(measured: Scores) -> str:
    """By greedy decoding, on every test."""
    return " and ".join(f"{greedy(measured, test)['bleu']['score']:.1f}" for test in tests(measured)) + " BLEU"


def bleu_of_the_longest(measured: Scores) -> str:
    """On the longest sentences of every test, with the interval."""
    longest = [greedy(measured, test)["by_length"][-1] for test in tests(measured)]
    return " and ".join(
        f"{each['bleu']:.1f} [{each['interval'][0]:.1f}, {each['interval'][1]:.1f}]" for each in longest
    )


def milliseconds(measured: Scores) -> str:
    return f"{speed(measured)['milliseconds_a_sentence']:.0f} ms per sentence"


def parameters(measured: Scores) -> str:
    return f"{model(measured)['parameters']:,}"


def better(one: Scores, other: Scores) -> str:
    """Whether it is so on all tests, on some or on none."""
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
    """Whether the intervals of the longest sentences lie apart on any test."""
    pairs = [
        (greedy(one, test)["by_length"][-1]["interval"], greedy(other, test)["by_length"][-1]["interval"])
        for test in tests(one)
        if test in tests(other)
    ]
    return APART if any(low > top or high < least for (low, high), (least, top) in pairs) else TOGETHER


def slower(one: Scores, other: Scores) -> str:
    first, second = (speed(each)["milliseconds_a_sentence"] for each in (one, other))
    return f"{'It takes' if first > second else 'It does not: it takes'} {first / second:.2f} times as long."


def larger(one: Scores, other: Scores) -> str:
    more = model(one)["parameters"] - model(other)["parameters"]
    return f"{abs(more):,} {'more' if more > 0 else 'fewer'}, {abs(more) / model(other)['parameters']:.1%}."


CLAIMS = (
    Claim("Bahdanau's accuracy is often better, Luong's slightly lower.", (ADDITIVE, MULTIPLICATIVE), bleu, better),
    Claim(
        "The additive score is better for long sequences. (Here: the longest sentences of each test.)",
        (ADDITIVE, MULTIPLICATIVE),
        bleu_of_the_longest,
        better_for_long,
    ),
    Claim("Bahdanau's is slower, Luong's faster.", (ADDITIVE, MULTIPLICATIVE), milliseconds, slower),
    Claim("Attention requires more parameters.", (MULTIPLICATIVE, NONE), parameters, larger),
    Claim("The additive score has more parameters.", (ADDITIVE, MULTIPLICATIVE), parameters, larger),
    Claim("Attention loses less on long sentences.", (MULTIPLICATIVE, NONE), bleu_of_the_longest, better_for_long),
)
