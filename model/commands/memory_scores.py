"""Measurement of a memory: its size and recall, and BLEU and accepted sentences when decoding mixes it in."""

from collections.abc import Iterator, Sequence
from typing import Any

from tqdm import tqdm

from regard.model import translate
from regard.model.checkpoint import AnyModel
from regard.model.commands.evaluate_test import some
from regard.model.data.corpus import Pair
from regard.model.evaluation.translation_quality import grade
from regard.model.evaluation.typed_first import TYPED_LANGUAGES, accepted, read_typed
from regard.model.memory.datastore import Datastore
from regard.model.memory.interpolation import NEIGHBOURS, TEMPERATURE, Interpolation, write
from regard.model.memory.measurement import MEASURED, ORDINARY, MemoryQuality
from regard.model.translate import in_batches
from regard.model.truecasing import read_as

SHARES = (0.0, 0.1, 0.25, 0.4)  # λ, the memory's share in the mixture
PAIRS = 400  # held-out pairs translated with each share
HOW_MEMORY = (
    f"recall: the share of the ten states truly nearest that are among the ten found, for {MEASURED} states of "
    f"validation text; far: the distance to the nearest that {1 - ORDINARY:.0%} of such states exceed; help: greedy "
    f"translation by (1 - share) p_model + share p_kNN (Khandelwal et al. 2021) with {NEIGHBOURS} neighbours at "
    f"temperature {TEMPERATURE:g}, on {PAIRS} evenly spaced pairs of the held-out test, and typed_first as read; "
    "share 0 is the model alone"
)


def scores(store: Datastore, quality: MemoryQuality) -> dict[str, Any]:
    """Return the scores of a memory that need no translations."""
    return {
        "states": len(store),
        "sentence_pairs": store.sentences,
        "of_pairs": store.pairs,
        "axes": len(store.directions),
        "bytes": quality.size,
        "recall": round(quality.recall, 4),
        "milliseconds": round(quality.milliseconds, 1),
        "far": round(store.far, 3),
    }


def helped(model: AnyModel, store: Datastore, test: Sequence[Pair]) -> Iterator[dict[str, Any]]:
    """Yield the quality of translations for each share of the memory."""
    yield from (_help(model, store, list(some(test, PAIRS)), share) for share in SHARES)


def _help(model: AnyModel, store: Datastore, pairs: list[Pair], share: float) -> dict[str, Any]:
    settings = Interpolation(share)
    lines = translated(model, store, [pair.source for pair in pairs], settings)
    graded = grade(lines, [pair.target for pair in pairs], model.tokenizer.languages[1])
    row = {"share": share, **{name: one["score"] for name, one in graded.items()}}
    if model.tokenizer.languages != TYPED_LANGUAGES:
        return row
    typed = read_typed()
    lines = translated(model, store, [read_as(entry.sentence, TYPED_LANGUAGES[0]) for entry in typed], settings)
    right = sum(accepted(entry, line) for entry, line in zip(typed, lines, strict=True))
    return {**row, "typed_first": {"sentences": len(typed), "accepted": right}}


def translated(model: AnyModel, store: Datastore, sentences: Sequence[str], settings: Interpolation) -> list[str]:
    """Translate sentences by the mixture of model and memory."""
    tokenizer = model.tokenizer
    distinct = list(dict.fromkeys(sentences))
    if settings.share == 0:
        alone = dict(zip(distinct, translate.write(model, distinct), strict=True))
        return [alone[sentence] for sentence in sentences]
    encodings = [tokenizer.encode(sentence, tokenizer.languages[0]) for sentence in distinct]
    with tqdm(total=len(distinct), desc=f"share {settings.share}", mininterval=0.5) as bar:

        def batch(rows: list[int]) -> list[tuple[int, ...]]:
            written = write(model, store, [encodings[row] for row in rows], settings)
            bar.update(len(rows))
            return written

        found = dict(zip(distinct, in_batches(encodings, batch), strict=True))
    return [tokenizer.decode(found[sentence]) for sentence in sentences]
