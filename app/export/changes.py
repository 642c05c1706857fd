"""Changes: what a person changed in a trace, read off the trace itself, for the stepper to mark."""

from typing import Any

from model.alignment import Sentence
from model.analysis.rank_changes import against
from model.input_error import InputError
from model.intervention import UNTOUCHED
from model.source_edits import changed_text, origins, spans
from model.tokenizer import STOP, Encoding
from model.trace import Trace
from model.words import END, Span


def changes(before: Trace, after: Trace) -> dict[str, Any]:
    """The marks of `after`; those that compare are left out where `before` is no plain translation of the sentence."""
    changed = after.intervention
    pair = plain_of(before, after)
    return {
        "forced": [step for step, _ in changed.tokens],
        "fed": _fed(after),
        "weights": [step for step, _ in changed.weights],
        "hidden": list(changed.hidden),
        "bonus": [list(change) for change in changed.bonus],
        "temperature": changed.temperature,
        "temperatures": [changed.temperature],
        "words": _words(before, after) if pair else [],
        "gold": [],
        "against": against(before, after) if pair else None,
    }


def plain_of(before: Trace, after: Trace) -> bool:
    """Whether one is the same model's translation of the other's sentence with nothing changed."""
    if before.intervention != UNTOUCHED or before.maker != after.maker:
        return False
    try:
        return changed_text(_encoding(before), after.intervention.words) == after.alignment.source.text
    except InputError:
        return False


def _fed(after: Trace) -> list[int]:
    """Steps whose token was given: the model would have written its likeliest there, and no change names them."""
    writable = (after.top_ids >= STOP).argmax(1)  # `<pad>` and `<s>` are never written, however likely
    chosen = after.top_ids[range(len(writable)), writable] if after.stop != "forced" else after.target_ids
    forced = dict(after.intervention.tokens)
    pairs = zip(chosen.tolist(), after.target_ids.tolist(), strict=True)
    return [step for step, (likeliest, token) in enumerate(pairs) if likeliest != token and step not in forced]


def _words(before: Trace, after: Trace) -> list[dict[str, object]]:
    """For each source word as it is now, without `</s>`: which word of the sentence it is, and what that was and is."""
    plain, instead = _encoding(before), dict(after.intervention.words)
    own = before.alignment.source.words
    places = origins(spans(plain, after.intervention.words), _spans(after.alignment.source))
    return [{"word": place, "was": own[place], "now": instead.get(place, own[place])} for place in places]


def _encoding(trace: Trace) -> Encoding:
    source = trace.alignment.source
    read = slice(len(source.tokens) - (source.tokens[-1:] == (END,)))
    ids = tuple(trace.source_ids[read].tolist())
    return Encoding(source.text, ids, _spans(source), source.word_of[read], source.characters[read])


def _spans(sentence: Sentence) -> tuple[Span, ...]:
    """What each word covers of the text."""
    covered: list[list[Span]] = [[] for _ in range(sentence.spoken)]
    for word, span in zip(sentence.word_of, sentence.characters, strict=True):
        if word < sentence.spoken:
            covered[word].append(span)
    return tuple(Span(min(span.start for span in one), max(span.stop for span in one)) for one in covered)
