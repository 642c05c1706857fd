"""Faithfulness of attention over many sentences: the effect of replacing it, and its agreement with other rankings of
source tokens.

The definitions are those of `regard.model.analysis.faithfulness` and `regard.model.analysis.attention_statistics`,
taken over many translations. Unchanged words are counted by kind; a word of several tokens counts at its first, and
`</s>` does not count. τ and the means cover every step.

Function words are those that carry grammar rather than content: a closed list, not a tagger. An ambiguous word (`son`,
his or sound; `est`, is or east) counts as its usual kind, and forms of `être` and `avoir` count as auxiliaries even if
they are the only verb. A language without a list has words and punctuation only.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.analysis.attention_statistics import coverage, entropy, soft_alignment_scores
from regard.model.analysis.faithfulness import (
    COUNTERFACTUALS,
    Counterfactual,
    counterfactual,
    gradient_by_input,
    kendall,
    leave_one_out,
)
from regard.model.checkpoint import AnyModel
from regard.model.files import toml_beside
from regard.model.trace import AnyTrace
from regard.model.translate import translate

TOGETHER = 32  # sentences translated at once
MEANS = ("entropy", "uncovered", "confidence")
IMPORTANCE = {"gradient_by_input": gradient_by_input, "leave_one_out": leave_one_out}
KINDS = ("function", "content", "word", "punctuation")
_LISTS = toml_beside(__file__, "function_words.toml")
FUNCTION_WORDS = {language: frozenset(" ".join(groups.values()).split()) for language, groups in _LISTS.items()}


@dataclass(frozen=True, eq=False)
class AttentionFaithfulness:
    """One translation. `kinds` has for each step the kind of word it begins, or "" if it begins none or is `</s>`."""

    source: str
    translation: str
    kinds: tuple[str, ...]
    kept: dict[str, tuple[bool, ...]]  # by counterfactual: true if the step's token stays
    taus: dict[str, Float[ndarray, " T"]]  # by measure of importance; NaN if undefined
    entropy: float  # mean over steps, nats
    uncovered: float  # mean over source tokens of |1 − coverage|
    confidence: float

    def scores(self) -> dict[str, Any]:
        """Return the counts for each counterfactual, the words that stay and the total, from which shares follow."""
        counted = [step for step, word in enumerate(self.kinds) if word]
        return {
            "source": self.source,
            "greedy": self.translation,
            "words": len(counted),
            "kept": {name: sum(stays[step] for step in counted) for name, stays in self.kept.items()},
            "tau": {name: tau_summary(taus)["mean"] for name, taus in self.taus.items()},
            **{name: round(getattr(self, name), 4) for name in MEANS},
        }


def faithfulness(model: AnyModel, sources: Sequence[str]) -> Iterator[AttentionFaithfulness]:
    """Assess the greedy translation of each sentence; its place among them seeds the random choices."""
    for start in range(0, len(sources), TOGETHER):
        for place, trace in enumerate(translate(model, sources[start : start + TOGETHER]), start):
            yield measured(model, trace, place)


def measured(model: AnyModel, trace: AnyTrace, seed: int) -> AttentionFaithfulness:
    looks = [counterfactual(model, trace, name, seed) for name in COUNTERFACTUALS]
    return assess(trace, looks, {name: measure(model, trace) for name, measure in IMPORTANCE.items()})


def assess(
    trace: AnyTrace, looks: Sequence[Counterfactual], importance: Mapping[str, Float[ndarray, "T S"]]
) -> AttentionFaithfulness:
    """Combine counterfactuals and importance measures of a trace, already computed."""
    weights = trace.weights
    return AttentionFaithfulness(
        trace.alignment.source.text,
        trace.text,
        _kinds(trace),
        {look.kind: tuple(look.stays.tolist()) for look in looks},
        {name: kendall(weights, values, trace.reach) for name, values in importance.items()},
        float(entropy(weights).mean()),
        float(np.abs(1 - coverage(weights)).mean()),
        soft_alignment_scores(weights).confidence,
    )


def faithfulness_scores(results: Sequence[AttentionFaithfulness], examples: int) -> dict[str, Any]:
    """Return shares of words that stay, mean and deviation of τ, and means of the rest."""
    every = max(1, len(results) // examples)
    return {
        "sentences": len(results),
        "steps": sum(len(result.kinds) for result in results),
        "counterfactuals": {name: _kept(results, name) for name in results[0].kept},
        "tau": {name: tau_summary(np.concatenate([result.taus[name] for result in results])) for name in IMPORTANCE},
        **{name: round(float(np.mean([getattr(one, name) for one in results])), 4) for name in MEANS},
        "examples": [{"seed": place, **results[place].scores()} for place in range(0, len(results), every)][:examples],
    }


def _kinds(trace: AnyTrace) -> tuple[str, ...]:
    side = trace.alignment.target
    begun = [word not in side.word_of[:step] for step, word in enumerate(side.word_of)]
    named = [kind(side.words[word], side.language) if word < side.spoken else "" for word in side.word_of]
    return tuple(name if first else "" for name, first in zip(named, begun, strict=True))


def _kept(results: Sequence[AttentionFaithfulness], name: str) -> dict[str, dict[str, int | float]]:
    steps = [step for result in results for step in zip(result.kinds, result.kept[name], strict=True)]
    shares = {}
    for word in dict.fromkeys(word for word, _ in steps if word):
        stays = [kept for one, kept in steps if one == word]
        shares[word] = {"words": len(stays), "kept": round(sum(stays) / len(stays), 4)}
    return shares


def tau_summary(taus: Float[ndarray, " N"]) -> dict[str, int | float | None]:
    """Summarise the steps where τ is defined; None if there are none."""
    defined = taus[~np.isnan(taus)]
    mean, deviation = (round(float(of(defined)), 4) if len(defined) else None for of in (np.mean, np.std))
    return {"steps": len(defined), "mean": mean, "deviation": deviation}


def kind(word: str, language: str) -> str:
    """Return one of KINDS. The pronoun of a French inversion (`-tu`, `-t-il`) counts without its hyphens."""
    if not re.search(r"\w", word):
        return "punctuation"
    if language not in FUNCTION_WORDS:
        return "word"
    plain = re.sub(r"^-(?:t-)?", "", word.lower())
    return "function" if plain in FUNCTION_WORDS[language] else "content"
