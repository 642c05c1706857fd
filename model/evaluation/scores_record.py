"""Scores record: a model's `scores.json`, read by name. A part that was never measured is empty.

`regard evaluate` writes it (`model/commands/evaluate_model.py`), as does `practise` for a task of numbers
(`model/synthetic/export.py`). All other code reads it through these functions.
"""

from collections.abc import Mapping
from typing import Any

Scores = Mapping[str, Any]
Part = Mapping[str, Any]
GREEDY = "greedy"


def model(scores: Scores) -> Part:
    """Return name, fingerprint, parameters and bytes of the model."""
    return scores["model"]


def how(scores: Scores) -> Mapping[str, str]:
    """Return descriptions of how each number was measured."""
    return scores.get("how", {})


def tests(scores: Scores) -> Part:
    """Return the test sets, by name."""
    return scores.get("tests", {})


def searches(scores: Scores, test: str) -> Part:
    """Return BLEU, chrF, seconds and BLEU by length of one test, by decoding method."""
    return tests(scores).get(test, {}).get("searches", {})


def greedy(scores: Scores, test: str) -> Part:
    return searches(scores, test)[GREEDY]


def alignments(scores: Scores) -> Part:
    """Return the agreement with people's links: `overall`, and `stories` by name."""
    return scores.get("alignments", {})


def agreement(scores: Scores, story: str = "") -> Part:
    """Return the agreement on one story, or on all together, by the source of the links."""
    measured = alignments(scores)
    return measured.get("stories", {}).get(story, {}) if story else measured.get("overall", {})


def attention(scores: Scores) -> Part:
    """Return the measures of attention's faithfulness, with the numbers of sentences and steps."""
    return scores.get("attention", {})


def counterfactuals(scores: Scores) -> Part:
    """Return the share of words that stay, by their kind, for each replacement of the weights."""
    return attention(scores).get("counterfactuals", {})


def taus(scores: Scores) -> Part:
    """Return Kendall's τ of the weights with each other measure of importance."""
    return attention(scores).get("tau", {})


def task(scores: Scores) -> Part:
    """Return the results of a task of numbers: its lengths, and how many sequences are written exactly."""
    return scores.get("task", {})


def speed(scores: Scores) -> Part:
    return scores.get("speed", {})


def typed_first(scores: Scores) -> Part:
    """Return the counts of accepted sentences of the list `typed_first`, as typed and as read."""
    return sentence_list(scores, "typed_first")


def sentence_list(scores: Scores, name: str) -> Part:
    """Return the counts of accepted sentences of a list in `typed_first.LISTS`, as typed and as read."""
    return scores.get(name, {})


def made_numbers(scores: Scores) -> Part:
    """Return the counts of made sentences with an exact number, by kind, and some wrong ones."""
    return scores.get("made_numbers", {})


def doubt(scores: Scores) -> Part:
    """Return the reliability of the chances, on held-out text and lists, and the measures of flags."""
    return scores.get("doubt", {})


def without_head(scores: Scores) -> Part:
    """Return what a Transformer's translations lose without each of its heads."""
    return scores.get("without_head", {})
