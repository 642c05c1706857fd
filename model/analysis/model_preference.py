"""Preference of a model between its own translation and another one: search error or model error?

If the other translation is likelier, decoding missed it: a *search error*. If not, the model itself prefers its own,
and no search that maximises probability would help: a *model error* (Stahlberg and Byrne 2019). Until the step where
the two first differ they have written the same tokens, so both next tokens are in one distribution; a change that
makes the other token the likeliest there would have tipped the choice.
"""

import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from regard.model.alignment import Sentence
from regard.model.analysis.attention_search import AttentionSearch, search_attention
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import AnyModel
from regard.model.decoding.beam import encode, search
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.input_error import InputError
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace
from regard.model.translate import force_ids
from regard.model.words import told_apart

WIDTHS = (5, 10, 50)  # of the beams that search for the other translation
MASKED = 4  # source words hidden in turn: those with the most weight at the step
PIECES = 4  # tokens of a word that the model hardly knows, at least


class BeamFinding(NamedTuple):
    """A beam's width, the other translation's rank in it (0 if it is missing), and the beam's best translation."""

    width: int
    place: int
    best: str


class Tip(NamedTuple):
    """A change of the source, and the other token's probability with it at the first difference."""

    kind: str  # "hidden" or "written"
    text: str  # the hidden word, or the changed sentence
    probability: float
    first: bool  # True if the other token becomes the likeliest


@dataclass(frozen=True, eq=False)
class FirstDifference:
    """The first step (from 0) at which the two differ, and the changes that could tip it."""

    step: int
    own: str  # the model's token
    other: str
    own_probability: float
    other_probability: float
    tips: tuple[Tip, ...]
    search: AttentionSearch  # a search for attention that makes the other token the likeliest


@dataclass(frozen=True, eq=False)
class Preference:
    """The model's own translation and another one, compared. `parting` is None if they do not differ."""

    own: AnyTrace
    other: AnyTrace
    parting: FirstDifference | None
    beams: tuple[BeamFinding, ...]
    in_pieces: tuple[tuple[str, int], ...]  # words of either sentence that are split into many tokens

    @property
    def gap(self) -> float:
        """Return the log-probability of the other translation minus that of the model's own, in nats."""
        return self.other.log_probability - self.own.log_probability

    @property
    def search_error(self) -> bool:
        return self.parting is not None and self.gap > 0


def preference(model: AnyModel, own: AnyTrace, other: AnyTrace) -> Preference:
    """Compare a greedy translation with a forced one of the same source. Raises InputError for different sources."""
    if own.source_ids.tolist() != other.source_ids.tolist():
        raise InputError("the two translations are of different sentences")
    sides = (own.alignment.source, other.alignment.target)
    pieces = tuple(pair for side in sides for pair in _in_pieces(side))
    step = parting_step(own, other)
    if step is None:
        return Preference(own, other, None, (), pieces)
    parting = FirstDifference(
        step,
        own.target[step],
        other.target[step],
        float(np.exp(own.log_probabilities[step])),
        float(np.exp(other.log_probabilities[step])),
        tuple(_tips(model, other, step)),
        search_attention(model, own, step, int(other.target_ids[step])),
    )
    return Preference(own, other, parting, _beams(model, other), pieces)


def parting_step(own: AnyTrace, other: AnyTrace) -> int | None:
    """Return the first step with different tokens; None if one translation is a prefix of the other."""
    pairs = zip(own.target_ids.tolist(), other.target_ids.tolist(), strict=False)
    return next((step for step, (mine, given) in enumerate(pairs) if mine != given), None)


def _tips(model: AnyModel, other: AnyTrace, step: int) -> Iterator[Tip]:
    """Force the other translation with each of some source words hidden, and on variants of the sentence."""
    side = other.alignment.source
    looked_at = other.alignment.by_words("output").weights[other.alignment.target.word_of[step]]
    words = [word for word in range(side.spoken) if any(map(str.isalnum, side.words[word]))]
    names = told_apart(side.words)
    for word in sorted(words, key=lambda word: -looked_at[word])[: min(MASKED, len(words) - 1)]:
        hidden = Intervention(hidden=tuple(place for place, owner in enumerate(side.word_of) if owner == word))
        yield _tip("hidden", names[word], what_if.translate(model, side.text, hidden, other.text), other, step)
    for text in _variants(side.text):
        (trace,) = force_ids(model, [encode(model, text)], [tuple(other.target_ids[: step + 1].tolist())])
        yield _tip("written", text, trace, other, step)


def _tip(kind: str, text: str, trace: AnyTrace, other: AnyTrace, step: int) -> Tip:
    first = int(trace.top_ids[step, 0]) == int(other.target_ids[step])
    return Tip(kind, text, float(np.exp(trace.log_probabilities[step])), first)


def _variants(text: str) -> list[str]:
    """Return other casings of a sentence, and the sentence with or without a final mark; none of bare numbers."""
    if not any(map(str.isalpha, text)):
        return []
    bare = text.rstrip(string.punctuation + " ")
    ways = [text.lower(), text[:1].upper() + text[1:], bare, f"{bare}."]
    return [way for way in dict.fromkeys(ways) if way and way != text]


def _beams(model: AnyModel, other: AnyTrace) -> tuple[BeamFinding, ...]:
    source, wanted = encode(model, other.alignment.source.text), tuple(other.target_ids.tolist())
    found = []
    for width in WIDTHS:
        ranked = search(model, source, BeamSettings(width))
        ids = [hypothesis.ids for hypothesis in ranked]
        place = ids.index(wanted) + 1 if wanted in ids else 0
        found.append(BeamFinding(width, place, model.tokenizer.decode([index for index in ids[0] if index != STOP])))
    return tuple(found)


def _in_pieces(side: Sentence) -> list[tuple[str, int]]:
    counts = [side.word_of.count(word) for word in range(side.spoken)]
    return [(word, count) for word, count in zip(side.words, counts, strict=False) if count >= PIECES]
