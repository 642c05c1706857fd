"""Head ablation: how a translation changes when one head is switched off. Michel, Levy and Neubig (2019), section 3.

For every head of every attention: how much less likely the model's own translation becomes without it,

    lost = log p(y | x) − log p(y | x, without the head)        nats

and how many of its words disappear when the model translates again without the head.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import torch

from regard.model.attention import NO_STEERING, HeadChange
from regard.model.changes import what_if
from regard.model.changes.intervention import Head, Intervention
from regard.model.checkpoint import AnyModel
from regard.model.input_error import InputError
from regard.model.translate import decode, endings, in_batches, read, translate

EVERYWHERE = torch.ones(1, 1, dtype=torch.bool)


@dataclass(frozen=True)
class HeadAblation:
    """One head switched off."""

    head: Head
    lost: float  # nats of the translation's log-probability
    changed: int  # words of the translation that are no longer written
    text: str  # the translation without the head


def all_heads(model: AnyModel) -> list[Head]:
    """Return every head of every attention. Raises InputError if the model has none."""
    layout = model.network.heads()
    if not layout:
        raise InputError(f"{model.name} has one attention and no heads to switch off; a Transformer has")
    return [
        (name, layer, head)
        for name, (layers, heads) in layout.items()
        for layer in range(layers)
        for head in range(heads)
    ]


def ablated(model: AnyModel, sentence: str) -> list[HeadAblation]:
    """Switch off each head in turn and record the effect on a sentence's greedy translation."""
    own = translate(model, [sentence])[0]
    words = own.alignment.target.words[: own.alignment.target.spoken]
    written = tuple(enumerate(own.target_ids.tolist()))
    found = []
    for head in all_heads(model):
        forced = what_if.translate(model, sentence, Intervention(tokens=written, heads_off=(head,)))
        again = what_if.translate(model, sentence, Intervention(heads_off=(head,)))
        lost, side = own.log_probability - forced.log_probability, again.alignment.target
        found.append(HeadAblation(head, lost, gone(words, side.words[: side.spoken]), again.text))
    return found


def gone(before: Sequence[str], after: Sequence[str]) -> int:
    """Count the words of one sequence that are missing in the other, in order."""
    blocks = SequenceMatcher(None, before, after, False).get_matching_blocks()
    return len(before) - sum(block.size for block in blocks)


@torch.inference_mode()
def write_without(model: AnyModel, sentences: Sequence[str], head: Head) -> list[str]:
    """Translate many sentences greedily with a head switched off."""
    encodings = [model.tokenizer.encode(text, model.tokenizer.languages[0]) for text in sentences]
    change = HeadChange(*head, torch.zeros(1, 1), EVERYWHERE)
    steering = replace(NO_STEERING, heads=(change,))

    def handle(group: list[int]) -> list[str]:
        memory, limits = read(model, [encodings[place] for place in group], (change,))
        tokens = [decoded.tokens for decoded in decode(model, memory, limits, steering=lambda step: steering)]
        return [model.tokenizer.decode(ids) for ids, _ in endings(tokens, limits)]

    return in_batches(encodings, handle)
