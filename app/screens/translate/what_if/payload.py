"""Payload of the changes: what the browser needs to show changes and to offer more, as plain JSON."""

from typing import Any

from app.screens.translate.what_if.aligned_weights import UNALIGNED, AlignedWeights, golden
from model.analysis.rank_changes import against
from model.intervention import TEMPERATURES, UNTOUCHED
from model.source_edits import origins, spans
from model.tokenizer import Tokenizer
from model.trace import Trace
from model.word_alignment.alignment_error_rate import GoldPair

BETWEEN = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0)  # temperatures on offer


def offered(
    tokenizer: Tokenizer, sentence: str, given: str, before: Trace, after: Trace, pair: GoldPair | None
) -> dict[str, Any]:
    """`pair` is the source of `after` where people have aligned it; steps and positions are those of `after`."""
    changes = after.intervention
    return {
        "forced": [step for step, _ in changes.tokens],
        "fed": _fed(tokenizer, given, after),
        "weights": [step for step, _ in changes.weights],
        "hidden": list(changes.hidden),
        "bonus": [list(change) for change in changes.bonus],
        "temperature": changes.temperature,
        "temperatures": sorted({*TEMPERATURES, *BETWEEN, changes.temperature}),
        "words": _words(tokenizer, sentence, after),
        "gold": [gold._asdict() for gold in _gold(pair, after)],
        "against": None if changes == UNTOUCHED else against(before, after),
    }


def _gold(pair: GoldPair | None, after: Trace) -> list[AlignedWeights]:
    return golden(pair, after.alignment, after.mask) if pair else [UNALIGNED] * len(after.mask)


def _fed(tokenizer: Tokenizer, given: str, after: Trace) -> list[int]:
    """Steps that were neither chosen by the model nor forced: those of a given translation before what was forced."""
    if not given:
        return []
    own = tokenizer.encode(given, tokenizer.languages[1]).ids
    forced = [step for step, _ in after.intervention.tokens]
    return list(range(min([len(own), len(after.target_ids), *forced])))


def _words(tokenizer: Tokenizer, sentence: str, after: Trace) -> list[dict[str, object]]:
    """For each source word as it is now, without `</s>`: which word of the sentence it is, and what that was and is."""
    if not after.intervention.words:
        source = after.alignment.source
        return [{"word": place, "was": word, "now": word} for place, word in enumerate(source.words[: source.spoken])]
    plain = tokenizer.encode(sentence, tokenizer.languages[0])
    changed = dict(after.intervention.words)
    read = tokenizer.encode(after.alignment.source.text, tokenizer.languages[0])
    own = [plain.text[span.start : span.stop] for span in plain.words]
    places = origins(spans(plain, after.intervention.words), read.words)
    return [{"word": place, "was": own[place], "now": changed.get(place, own[place])} for place in places]
