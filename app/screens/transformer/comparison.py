"""Luong's attention, self-attention and several heads in one table, with their sizes counted."""

from app.screens.transformer.projection import Projected, asked_by_decoder, asking_itself
from model.examples.example import Example
from model.examples.multi_head import HEADS
from model.examples.self_attention import SELF_ATTENTION

QUESTION, GENERAL, SELF, MULTI = "Question", "Luong, general score", "Self-attention", "Two heads"
HEAD_COUNT = 2


def attentions(projected: Projected) -> list[dict[str, str]]:
    """A row for each question, a column for each kind of attention."""
    words, steps = len(projected.words), len(projected.made)
    luong = asked_by_decoder(projected)
    alone, heads = asking_itself(SELF_ATTENTION, projected), asking_itself(HEADS, projected)
    return [
        _row("Who asks", "The decoder's state, at each step", "Every word of the sentence", "Every word, in each head"),
        _row("What is compared", "State with W times annotation", "Query with key", "Query with key, in each head"),
        _row("What is summed", "Annotations", "Values", "Values of each head, joined and mixed"),
        _row("What has to wait", "A step for the state before it", "Nothing", "Nothing"),
        _row(
            "Scores for these tokens",
            f"{steps} × {words} = {steps * words:,}",
            f"{words} × {words} = {words**2:,}",
            f"{HEAD_COUNT} × {words} × {words} = {HEAD_COUNT * words**2:,}",
        ),
        _row(
            "Numbers to learn, at this size",
            f"{_size(luong, 'W'):,} in W",
            f"{learned(alone):,} for queries, keys and values",
            f"{learned(heads):,} for those of both heads and the mixing",
        ),
        _row(
            "At the model's size",
            f"{projected.state} × {projected.annotation} = {projected.state * projected.annotation:,}",
            f"3 × {projected.annotation}² = {3 * projected.annotation**2:,}",
            f"4 × {projected.annotation}² = {4 * projected.annotation**2:,}",
        ),
    ]


def learned(example: Example) -> int:
    """How many numbers its matrices of weights have."""
    return sum(given.values.size for given in example.givens if given.name.startswith("W"))


def _size(example: Example, name: str) -> int:
    """Of one value of a run."""
    return example.run()[name].size


def _row(about: str, general: str, alone: str, heads: str) -> dict[str, str]:
    return {QUESTION: about, GENERAL: general, SELF: alone, MULTI: heads}
