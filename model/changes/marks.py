"""Marks of changes: what the stepper marks in a translation with changes, and lists in plain words."""

from itertools import takewhile
from typing import Any, NamedTuple

from regard.model.changes.intervention import ANNOTATION, KINDS, UNTOUCHED, VECTORS, Intervention
from regard.model.changes.rewording import changed_text, origins, reword, spans
from regard.model.input_error import InputError
from regard.model.tokenizer import STOP, Encoding, Tokenizer
from regard.model.trace import AnyTrace
from regard.model.words import END, normalise


class ChangeText(NamedTuple):
    text: str
    without: Intervention  # the changes without this one


def change_texts(tokenizer: Tokenizer, sentence: str, before: AnyTrace, after: AnyTrace) -> list[ChangeText]:
    """Return the changes of `after` in plain words, those of the whole translation first; `before` is the trace without
    them."""
    changes, found = after.intervention, []
    for name, kind in KINDS.items():
        rows = changes.rows(name)
        for order, text, made_of in kind.described(rows, before.alignment, after.alignment):
            if name == "words":
                ((word, _),) = made_of
                own = before.alignment.source.words[word]
                without = reword(tokenizer, sentence, changes, word, own)  # moves other changes back
            else:
                without = changes.with_rows(**{name: tuple(row for row in rows if row not in made_of)})
            found.append((order, ChangeText(text, without)))
    return [change for _, change in sorted(found, key=lambda item: item[0])]


class RankChange(NamedTuple):
    """A token's rank before, from 0, and the gain in its probability."""

    rank: int
    change: float


def changes(before: AnyTrace, after: AnyTrace) -> dict[str, Any]:
    """Return the marks of `after`; comparisons need `before` to be the same sentence without changes."""
    changed, pair = after.intervention, plain_of(before, after)
    vectors = {
        "vectors": [[name, step, VECTORS[name]] for name, step, _ in changed.vectors if name != ANNOTATION],
        "annotations": [position for name, position, _ in changed.vectors if name == ANNOTATION],
        "head_vectors": [list(row[:4]) for row in changed.head_vectors],
    }
    return {
        "forced": [step for step, _ in changed.tokens],
        "fed": _fed(before, after) if pair else _seen_fed(after),
        "weights": [step for step, _ in changed.weights],
        "heads_off": [list(head) for head in changed.heads_off],
        "head_weights": [list(row[:4]) for row in changed.head_weights],
        **(vectors if changed.vectors or changed.head_vectors else {}),
        "hidden": list(changed.hidden),
        "bonus": [list(change) for change in changed.bonus],
        "temperature": changed.temperature,
        "temperatures": [changed.temperature],
        "words": _words(before, after) if pair else [],
        "gold": [],
        "against": against(before, after) if pair and changed != UNTOUCHED else None,
    }


def plain_of(before: AnyTrace, after: AnyTrace) -> bool:
    """Return True if `before` is the same model's translation of the sentence of `after` without changes."""
    if before.intervention != UNTOUCHED or before.maker != after.maker:
        return False
    if after is before:
        return True
    try:
        source, words = after.alignment.source, after.intervention.words
        return normalise(changed_text(_encoding(before), words), source.language) == source.text
    except InputError:
        return False


def against(before: AnyTrace, after: AnyTrace) -> list[list[RankChange | None]]:
    """Compare the likeliest tokens of `after` with `before`, at each step that both reached by the same tokens. None
    stands for a token that was not among the likeliest before, since its probability was not kept."""
    compared, both = [], list(zip(before.target_ids.tolist(), after.target_ids.tolist(), strict=False))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
    for step in range(min(same + 1, len(both))):
        ranks = {token: rank for rank, token in enumerate(before.top_ids[step].tolist())}
        then, now = before.top_probabilities[step], after.top_probabilities[step]
        compared.append(
            [
                RankChange(ranks[token], float(now[rank] - then[ranks[token]])) if token in ranks else None
                for rank, token in enumerate(after.top_ids[step].tolist())
            ]
        )
    return compared


def _fed(before: AnyTrace, after: AnyTrace) -> list[int]:
    """Return the steps that a given translation wrote, up to the first forced token, likeliest or not."""
    forced = before.target_ids[:-1] if before.stop == "forced" else before.target_ids[:0]  # without `</s>`
    forced = forced[: _until_forced(after)]
    same = forced.tolist() == after.target_ids[: len(forced)].tolist()
    return list(range(len(forced))) if len(forced) and same else _seen_fed(after)


def _seen_fed(after: AnyTrace) -> list[int]:
    """Find given steps from the trace alone: all up to the first forced token, if any was not the likeliest."""
    until = _until_forced(after)
    writable = (after.top_ids >= STOP).argmax(1)  # `<pad>` and `<s>` are never written, however likely
    highest = after.top_logits[range(len(writable)), writable]
    return list(range(until)) if (highest > after.logits)[:until].any() else []  # ties may go either way


def _until_forced(after: AnyTrace) -> int:
    return min((step for step, _ in after.intervention.tokens), default=len(after.target_ids))


def _words(before: AnyTrace, after: AnyTrace) -> list[dict[str, object]]:
    """Return for each source word, without `</s>`, its word in the original sentence and both texts."""
    own, instead = before.alignment.source.words, dict(after.intervention.words)
    if not instead:
        return [
            {"word": place, "was": own[place], "now": own[place]} for place in range(before.alignment.source.spoken)
        ]
    plain = _encoding(before)
    places = origins(spans(plain, after.intervention.words), after.alignment.source.spans)
    return [{"word": place, "was": own[place], "now": instead.get(place, own[place])} for place in places]


def _encoding(trace: AnyTrace) -> Encoding:
    source = trace.alignment.source
    read = slice(len(source.tokens) - (source.tokens[-1:] == (END,)))
    ids = tuple(trace.source_ids[read].tolist())
    return Encoding(source.text, ids, source.spans, source.word_of[read], source.characters[read])
