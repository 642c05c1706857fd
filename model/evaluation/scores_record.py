"""Scores record: what `scores.json` holds of a model, read by name. A part that was never measured is empty.

`regard evaluate` writes it (`model/commands/evaluate_model.py`), and `practise` for a task of numbers
(`model/synthetic/export.py`). Everybody else reads it through these functions.
"""

from collections.abc import Mapping
from typing import Any

Scores = Mapping[str, Any]
Part = Mapping[str, Any]
GREEDY = "greedy"


def model(scores: Scores) -> Part:
    """Name, fingerprint, parameters and bytes of the model."""
    return scores["model"]


def how(scores: Scores) -> Mapping[str, str]:
    """How each thing was measured, in words."""
    return scores.get("how", {})


def tests(scores: Scores) -> Part:
    """By the name of the test set."""
    return scores.get("tests", {})


def searches(scores: Scores, test: str) -> Part:
    """BLEU, chrF, seconds and BLEU by length of one test, by the way of decoding."""
    return tests(scores).get(test, {}).get("searches", {})


def greedy(scores: Scores, test: str) -> Part:
    return searches(scores, test)[GREEDY]


def alignments(scores: Scores) -> Part:
    """Agreement with people's links: `overall`, and `stories` by their names."""
    return scores.get("alignments", {})


def agreement(scores: Scores, story: str = "") -> Part:
    """That of one story, or of all together, by what links are read from."""
    measured = alignments(scores)
    return measured.get("stories", {}).get(story, {}) if story else measured.get("overall", {})


def attention(scores: Scores) -> Part:
    """What attention is worth to the model, on how many sentences and steps."""
    return scores.get("attention", {})


def counterfactuals(scores: Scores) -> Part:
    """By what stands in place of the weights: the share of words that stay, by their kind."""
    return attention(scores).get("counterfactuals", {})


def taus(scores: Scores) -> Part:
    """Kendall's τ of the weights with each other measure of importance."""
    return attention(scores).get("tau", {})


def task(scores: Scores) -> Part:
    """A task of numbers: its lengths, and how many sequences are written exactly."""
    return scores.get("task", {})


def speed(scores: Scores) -> Part:
    return scores.get("speed", {})


def typed_first(scores: Scores) -> Part:
    """How many of the sentences that people type first come out right, as typed and as read."""
    return scores.get("typed_first", {})


def without_head(scores: Scores) -> Part:
    """What is lost of a Transformer's translations without each of its heads."""
    return scores.get("without_head", {})
