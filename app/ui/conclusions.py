"""Conclusions about attention that the numbers of one translation allow, and those they do not, in plain words."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from regard.app.theme import component, percent
from regard.app.wording import MEAN, SOURCE_IN_STATE, counted
from regard.model.config import AnyConfig
from regard.model.evaluation import scores_record
from regard.model.synthetic.exposure_bias import Exposure

MOST, FEW = 2 / 3, 1 / 3  # shares of words from which on "most", and up to which "few" stay
LARGELY, PARTLY = 0.5, 0.2  # Kendall's τ from which on two orders agree to this degree
ENDS = (
    "This model has no attention: at every step the first and the last annotation weigh one half each. Exchanging "
    "weights only says what each of the two ends carries; nothing here is about attention."
)
ENOUGH = "an even mixture of the annotations was enough for every one of them."
NEVER_ENOUGH = "an even mixture of the annotations was not enough for any of them."
LIMITS = (
    "These numbers cannot show that a source word does not matter just because its weight can be moved. {}",
    "“Explanation” has several meanings. Whether a person finds the weights convincing is one question; whether the "
    "model would have acted differently without them is another. The numbers here are about the second. Whether "
    "attention explains depends on which is meant (Wiegreffe and Pinter 2019).",
)


def conclusions(measures: Mapping[str, Any], scores: Mapping[str, Any], config: AnyConfig) -> list[str]:
    """Say what follows from a translation's `AttentionFaithfulness.scores()` and the model's `scores.json`."""
    limits = [limit.format(SOURCE_IN_STATE[config.source_in_state]["places"]) for limit in LIMITS]
    if not config.attends:
        return [ENDS, *limits]
    words, kept, taus = measures["words"], measures["kept"], measures["tau"]
    return [
        *(_alike(kept, words) if words else ()),
        *(_exchanged(kept, words) if words else ()),
        *_by_kind(scores),
        *_ranked(taus),
        *limits,
    ]


def _alike(kept: Mapping[str, int], words: int) -> list[str]:
    """Say what is lost by making all heads alike, before other weights are tried."""
    if MEAN not in kept:
        return []
    those = "any of them" if words > 1 else "it"
    found = f"its heads need not differ for {those}" if kept[MEAN] == words else "the others need heads that differ"
    return [
        "An exchange gives the same weights to every head of every layer. Given the mean of its own heads this way, "
        f"{_stay(kept[MEAN], words)}: {found}. Read the numbers for the other weights against this one."
    ]


def _exchanged(kept: Mapping[str, int], words: int) -> list[str]:
    """Say how many words stay under each test, and what that test alone shows."""
    even, moved, last, alone, without = (
        kept[name] for name in ("uniform", "permuted", "last position", "only the maximum", "all but the maximum")
    )
    return [
        f"**Even weights.** Taken one step at a time, with the same weight on every token, {_stay(even, words)}: "
        + _choose(
            even / words,
            "for most of them, an even mixture of the annotations was enough." if even < words else ENOUGH,
            "an even mixture of the annotations was enough for some of them and not for others.",
            "an even mixture of the annotations was not enough for the others." if even else NEVER_ENOUGH,
        ),
        f"**The same weights elsewhere.** With the model's own weights in another order (seed 0), "
        f"{_stay(moved, words)}; with all weight on the last token, {_stay(last, words)}. "
        + _choose(
            max(moved, last) / words,
            "By at least one of these two tests, where the weights lay mattered little.",
            "Where the weights lay mattered for some words.",
            "By both tests, where the weights lay mattered for most words.",
        ),
        f"**The heaviest token.** Looking only at the token with the greatest weight, {_stay(alone, words)}; looking "
        f"everywhere but there, {_stay(without, words)}. "
        + _choose(
            without / words,
            "So most words do not need that token.",
            "So some words need that token, and others do not.",
            "So most words need that token.",
        ),
    ]


def _by_kind(scores: Mapping[str, Any]) -> list[str]:
    """Say how function words compare with content words, if they were counted."""
    shares = scores_record.counterfactuals(scores).get("uniform", {})
    if not {"function", "content"} <= set(shares):
        return []
    function, content = shares["function"], shares["content"]
    low, high = difference_of_shares(*((kind["kept"], kind["words"]) for kind in (function, content)))
    found = (
        "That function words stay more often agrees with"
        if low > 0
        else "That content words stay more often differs from"
        if high < 0
        else "The interval includes 0, so this neither agrees with nor contradicts"
    )
    return [
        f"On held-out sentences, with the same weight on every token, {percent(function['kept'])} of "
        f"{function['words']:,} function words stay and {percent(content['kept'])} of {content['words']:,} content "
        f"words: a difference of {100 * (function['kept'] - content['kept']):.1f} points [{100 * low:.1f}, "
        f"{100 * high:.1f}] (95% interval, words taken as independent). {found} what Moradi, Kambhatla and "
        "Sarkar (2019) found from German to English."
    ]


def difference_of_shares(one: tuple[float, int], other: tuple[float, int]) -> tuple[float, float]:
    """Return the 95% interval of one share minus another, each with its number of words, taken as independent."""
    half = 1.96 * sqrt(sum(share * (1 - share) / max(1, words) for share, words in (one, other)))
    return one[0] - other[0] - half, one[0] - other[0] + half


def _ranked(taus: Mapping[str, float | None]) -> list[str]:
    gradient, leaving = taus["gradient_by_input"], taus["leave_one_out"]
    if gradient is None or leaving is None:
        return []
    return [
        f"**Two other measures.** The order of the weights {_agrees(gradient)} that of gradient × input "
        f"(mean τ {component(gradient)}), and {_agrees(leaving)} that of leaving a token out "
        f"(mean τ {component(leaving)}). {_advice(gradient, leaving)}"
    ]


def _advice(gradient: float, leaving: float) -> str:
    """Say what a heavy weight is a sign of by each measure; neither of them is the truth."""
    if min(gradient, leaving) >= LARGELY:
        return "By both, a heavy weight is mostly a sign that a token matters."
    if min(gradient, leaving) >= PARTLY:
        return "By both, a heavy weight may point to what matters, but the orders differ."
    if max(gradient, leaving) >= LARGELY:
        by, not_by = ("leaving a token out", "gradient × input")[:: 1 if leaving > gradient else -1]
        return (
            f"The two disagree: by {by}, a heavy weight is mostly a sign that a token matters; by {not_by}, it is not. "
            "Neither settles it: without a token every other annotation changes too, and a gradient only estimates "
            "small changes."
        )
    if max(gradient, leaving) >= PARTLY:
        return "The two disagree, so whether a heavy weight means here that a token matters stays open."
    return "By neither is a heavy weight a reliable sign here that a token matters."


def _agrees(tau: float) -> str:
    """Say how far an order agrees with another, up to the name of the other."""
    if tau >= PARTLY:
        return f"agrees {'largely' if tau >= LARGELY else 'in part'} with"
    return "hardly agrees with" if tau > -PARTLY else "does not agree at all with"


def exposure_conclusion(exposures: Sequence[Exposure]) -> str:
    """Say in how many of the runs the network that was fed the truth loses more after its own numbers."""
    lost = {(each.seed, each.teacher_forcing): each.lost for each in exposures}
    seeds = sorted({seed for seed, _ in lost})
    more = sum(lost[seed, 1.0] > lost[seed, 0.0] for seed in seeds)
    found = {
        len(seeds): "as exposure bias would have it: its own mistakes disturb it more.",
        0: "against what exposure bias would have.",
    }.get(more, "which does not settle it.")
    return (
        f"In {more} of {len(seeds)} pairs of networks that sort numbers, the one that was fed the right numbers in "
        f"training loses more after its own than the other, {found}"
    )


def _choose(share: float, most: str, some: str, few: str) -> str:
    return most if share >= MOST else some if share > FEW else few


def _stay(kept: int, words: int) -> str:
    return f"{kept} of {counted(words, 'word')} {'stays' if kept == 1 else 'stay'}"
