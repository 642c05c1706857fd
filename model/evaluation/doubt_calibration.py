"""Calibration of doubt: fits the chance that a translation is acceptable, and measures it on text it was not fitted on.

A translation of held-out text is acceptable if its chrF (Popović 2015) with the nearest reference is at least `ENOUGH`;
a translation of a listed sentence, if a bilingual judge's pattern accepts it. The fit uses the validation part and
every second sentence of the lists; it is measured on the test part and the other sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import sacrebleu
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.checkpoint import AnyModel
from regard.model.data.corpus import Pair
from regard.model.doubt.calibration import area_under_roc, calibration_error, fit, reliability
from regard.model.doubt.chance import FEATURES, LEAST, Doubt, Fitted, credit, features
from regard.model.evaluation.typed_first import Typed, accepted
from regard.model.trace import AnyTrace
from regard.model.translate import stream
from regard.model.truecasing import read_as
from regard.model.words import word_texts

Known = TypeVar("Known")
ENOUGH = 60.0  # least chrF of an acceptable translation
SEEN, PASSED = 5, 0.03  # "passed over": a source word with so many credits, of which this share is below LEAST
TWICE, REPEATED = 3, 0.01  # "repeated": a target word twice in so many sentences and in this share of its sentences

Progress = Callable[[Iterator[AnyTrace], str, int], Iterable[AnyTrace]]


class Judged(NamedTuple):
    """The features, mean token probability and acceptability of each translation, without its trace."""

    features: Float[ndarray, "N K"]
    means: Float[ndarray, " N"]
    right: Bool[ndarray, " N"]
    credits: Mapping[str, list[float]]  # all credits of each lower-case source word

    def every_second(self, first: int) -> "Judged":
        return Judged(self.features[first::2], self.means[first::2], self.right[first::2], self.credits)

    def joined(self, other: "Judged") -> "Judged":
        """Return the translations of both, with the credits of this one."""
        features, means, right = (np.concatenate(pair) for pair in zip(self[:3], other[:3], strict=True))
        return Judged(features, means, right, self.credits)


def judged_pairs(model: AnyModel, pairs: Sequence[Pair], progress: Progress) -> Judged:
    """Translate each distinct source greedily and judge it by the nearest of its references."""
    references: dict[str, list[str]] = {}
    for pair in pairs:
        references.setdefault(pair.source, []).append(pair.target)
    chrf = sacrebleu.CHRF()
    traces = progress(stream(model, references), "translations for doubt", len(references))
    return _judged(traces, references.values(), lambda text, known: chrf.sentence_score(text, known).score >= ENOUGH)


def judged_list(model: AnyModel, entries: Sequence[Typed]) -> Judged:
    """Translate the sentences of a list, truecased, and judge them by their patterns."""
    read = [read_as(entry.sentence, model.tokenizer.languages[0]) for entry in entries]
    return _judged(stream(model, read), entries, lambda text, entry: accepted(entry, text))


def _judged(traces: Iterable[AnyTrace], known: Iterable[Known], right: Callable[[str, Known], bool]) -> Judged:
    rows, means, judgements, credits = [], [], [], {}
    for trace, reference in zip(traces, known, strict=True):
        rows.append(features(trace))
        means.append(trace.mean_probability)
        judgements.append(right(trace.text, reference))
        side = trace.alignment.source
        for word, given in zip(side.words[: side.spoken], credit(trace).tolist(), strict=False):
            credits.setdefault(word.lower(), []).append(given)
    return Judged(np.array(rows).reshape(-1, len(FEATURES)), np.array(means), np.array(judgements, dtype=bool), credits)


def fitted(model: AnyModel, seen: Judged, validation: Judged, targets: Sequence[str]) -> Doubt:
    """Fit on `seen`; `validation` and the `targets` of training decide which words are never flagged."""
    means, deviations = seen.features.mean(0), seen.features.std(0)
    deviations = np.where(deviations > 0, deviations, 1.0)
    intercept, *weights = fit((seen.features - means) / deviations, seen.right).tolist()
    numbers = zip(means.tolist(), deviations.tolist(), weights, strict=True)
    by_name = {name: Fitted(*three) for name, three in zip(FEATURES, numbers, strict=True)}
    repeated = _repeated(targets, model.tokenizer.languages[1])
    return Doubt(model.fingerprint, intercept, by_name, _passed_over(validation.credits), repeated)


def measured(doubt: Doubt, judged: Judged) -> dict[str, Any]:
    """Return AUC and ECE of the chances, and those of the mean token probability for comparison."""
    return {
        "sentences": len(judged.right),
        "right": round(float(judged.right.mean()), 4),
        "chance": _scores(doubt.chances(judged.features), judged.right),
        "mean_alone": _scores(judged.means, judged.right),
    }


def _scores(chances: Float[ndarray, " N"], right: Bool[ndarray, " N"]) -> dict[str, Any]:
    bins, area = reliability(chances, right), area_under_roc(chances, right)
    return {
        "auc": None if area is None else round(area, 4),
        "calibration_error": round(calibration_error(bins), 4),
        "bins": bins,
    }


def _passed_over(credits: Mapping[str, list[float]]) -> frozenset[str]:
    shares = {word: float(np.mean(np.array(given) < LEAST)) for word, given in credits.items() if len(given) >= SEEN}
    return frozenset(word for word, share in shares.items() if share > PASSED)


def _repeated(targets: Sequence[str], language: str) -> frozenset[str]:
    once: Counter[str] = Counter()
    twice: Counter[str] = Counter()
    for text in targets:
        counts = Counter(word.lower() for word in word_texts(text, language))
        once.update(counts.keys())
        twice.update(word for word, count in counts.items() if count > 1)
    return frozenset(word for word, count in twice.items() if count >= TWICE and count > REPEATED * once[word])
