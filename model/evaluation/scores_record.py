"""Scores record: a model's `scores.json`, read by name. A part that was never measured is empty.

`regard evaluate` writes it (`model/commands/evaluate.py`), as do `practise` for a task of numbers
(`model/synthetic/exact_match.py`) and, with more parts, `pretrained/recipe` for the shipped models. All other code
reads its parts through these functions:

    how            descriptions of how each number was measured
    tests          the test sets, by name
    alignments     the agreement with people's links: `overall`, and `stories` by name
    attention      `counterfactuals`, the share of words of each kind that stay when the weights are replaced, and
                   `tau`, the agreement with other measures of importance, with the numbers of sentences and steps
    task           the results of a task of numbers: its lengths, and how many sequences are written exactly
    speed          milliseconds of a sentence, and tokens of training a second
    typed_first    the counts of accepted sentences, as typed and as read, as for the other lists of sentences
    made_numbers   the counts of made sentences with an exact number, by kind, and some wrong ones
    doubt          the reliability of the chances, on held-out text and lists, and the measures of flags
    without_head   what a Transformer's translations lose without each of its heads
"""

from collections.abc import Mapping
from typing import Any

from regard.model.files import toml_beside

Scores = Mapping[str, Any]
Part = Mapping[str, Any]
LINKED = {  # in words, the source of the links that `agreement` measures
    "output": "word produced",
    "input": "word fed in",
    "posterior": "posterior",
    "posterior_hmm": "posterior with jumps",
    "diagonal": "the diagonal",
    "ibm1": "IBM Model 1",
    "eflomal_forward": "eflomal forward",
    "eflomal_reverse": "eflomal reverse",
    "eflomal_intersection": "eflomal intersection",
    "eflomal_grow_diag_final_and": "eflomal grow-diag-final-and",
}


def part(scores: Scores, name: str) -> Part:
    """Return one of the parts listed above."""
    return scores.get(name, {})


def searches(scores: Scores, test: str) -> Part:
    """Return BLEU, chrF, seconds and BLEU by length of one test, by decoding method."""
    return part(scores, "tests").get(test, {}).get("searches", {})


def greedy(scores: Scores, test: str) -> Part:
    return searches(scores, test)["greedy"]


def agreement(scores: Scores, story: str = "") -> Part:
    """Return the agreement on one story, or on all together, by the source of the links."""
    measured = part(scores, "alignments")
    return measured.get("stories", {}).get(story, {}) if story else measured.get("overall", {})


def how_measured(part: str, **numbers: object) -> dict[str, str]:
    """Return the texts on how one part was measured, by the names of its entries, with these numbers filled in."""
    texts = toml_beside(__file__, "how_measured.toml")[part]
    return {name: text.format(**numbers) for name, text in texts.items()}
