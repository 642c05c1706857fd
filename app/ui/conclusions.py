"""Conclusions about attention that the numbers of one translation allow, and those they do not, in plain words."""

from collections.abc import Mapping
from typing import Any

from regard.app.theme import component, percent
from regard.app.wording import MEAN, SOURCE_IN_STATE, counted
from regard.model.config import AnyConfig
from regard.model.evaluation import scores_record

MOST, FEW = 2 / 3, 1 / 3  # shares of words from which on "most", and up to which "few" stay
LARGELY, PARTLY = 0.5, 0.2  # Kendall's τ from which on two orders agree to this degree
ENDS = (
    "This model has no attention: at every step the first and the last annotation weigh one half each. Exchanging "
    "weights only says what each of the two ends carries; nothing here is about attention."
)
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
        f"the model keeps {_of(kept[MEAN], words)}: {found}. Read the numbers for the other weights against this one."
    ]


def _exchanged(kept: Mapping[str, int], words: int) -> list[str]:
    alike, without, alone = (kept[name] for name in ("uniform", "all but the maximum", "only the maximum"))
    return [
        f"Taken one step at a time, with the same weight on every token {_of(alike, words)} would have stayed. "
        + _choose(
            alike / words,
            f"For {'all' if alike == words else 'most'} of this translation, where the model looked did not decide "
            "which word came.",
            "Where it looked decided some of the words and not others.",
            f"Where the model looked decided {'most' if alike else 'all'} of this translation: attention was at work "
            "here.",
        ),
        f"Looking only at the token with the greatest weight keeps {_of(alone, words)}; looking everywhere but there "
        f"keeps {_of(without, words)}. "
        + _choose(
            without / words,
            "So what the model took from the token it looked at most, it mostly finds elsewhere too.",
            "So some words depend on the token looked at most, and others do not.",
            "So the token looked at most carries something that the others do not.",
        ),
    ]


def _by_kind(scores: Mapping[str, Any]) -> list[str]:
    """Say how function words compare with content words, if they were counted."""
    shares = scores_record.counterfactuals(scores).get("uniform", {})
    if not {"function", "content"} <= set(shares):
        return []
    function, content = shares["function"]["kept"], shares["content"]["kept"]
    more = function > content
    return [
        f"On held-out sentences, with the same weight on every token, {percent(function)} of the function words stay "
        f"and {percent(content)} of the content words. "
        + ("That function words stay more often" if more else "That function words stay no more often")
        + (" agrees with" if more else " differs from")
        + " what Moradi, Kambhatla and Sarkar (2019) found from German to English."
    ]


def _ranked(taus: Mapping[str, float | None]) -> list[str]:
    gradient, leaving = taus["gradient_by_input"], taus["leave_one_out"]
    if gradient is None or leaving is None:
        return []
    return [
        f"The order of the weights {_agrees(gradient)} that of gradient × input "
        f"(mean τ {component(gradient)}), and {_agrees(leaving)} that of leaving a token out "
        f"(mean τ {component(leaving)}). {_advice(gradient, leaving)}"
    ]


def _advice(gradient: float, leaving: float) -> str:
    """Say what a heavy weight is a sign of. Leaving a token out tests it; gradient × input only estimates it."""
    least = min(gradient, leaving)
    if least >= LARGELY:
        return "A heavy weight is mostly a sign that a token matters."
    if least >= PARTLY:
        return "A heavy weight may point to what matters, but other ways to ask give another order."
    if leaving >= LARGELY:
        return (
            "The two measures disagree. Leaving a token out is the direct test, and by it a heavy weight is mostly a "
            "sign here that a token matters; the gradient, which only estimates small changes, does not confirm it."
        )
    if max(gradient, leaving) >= PARTLY:
        return "The two measures disagree, so whether a heavy weight means here that a token matters stays open."
    return "A heavy weight is no reliable sign here that a token matters."


def _agrees(tau: float) -> str:
    """Say how far an order agrees with another, up to the name of the other."""
    if tau >= PARTLY:
        return f"agrees {'largely' if tau >= LARGELY else 'in part'} with"
    return "hardly agrees with" if tau > -PARTLY else "does not agree at all with"


def _choose(share: float, most: str, some: str, few: str) -> str:
    return most if share >= MOST else some if share > FEW else few


def _of(kept: int, words: int) -> str:
    return f"{kept} of {counted(words, 'word')}"
