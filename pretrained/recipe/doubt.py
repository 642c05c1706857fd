"""Calibration of doubt: fits the chance that a translation is acceptable, and measures it on text it was not fitted on.

A translation of held-out text is acceptable if its chrF (Popović 2015) with the nearest reference is at least `ENOUGH`;
a translation of a listed sentence, if a bilingual judge's pattern accepts it. The fit uses the validation part and
every second sentence of the lists; it is measured on the test part and the other sentences.

Logistic regression by Newton's method (Hastie et al. 2009, section 4.4.1): p = σ(β₀ + Σ_k β_k x_k).

    β ← β + (Xᵀ W X + λ I)⁻¹ (Xᵀ (y − p) − λ β),   W = diag(p (1 − p))

λ keeps the weights of correlated features near 0; the intercept is not penalised. Do the chances rank right before
wrong, and are translations given 70% right seven times in ten?

    AUC   probability that a right one has a higher chance than a wrong one, half for a tie (Hanley and McNeil 1982)
    ECE   Σ_b n_b/N |share right in b − mean chance in b|, in bins of equal counts (after Naeini et al. 2015)

Flags of coverage are measured on made omissions and repetitions: references in which one content word, chosen at
random, is deleted or doubled, in turns. Its source word is the heaviest one in its row while the unchanged reference is
forced. The same seed makes the same set.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import numpy as np
import sacrebleu
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.alignment import Sentence
from regard.model.checkpoint import AnyModel
from regard.model.commands.evaluate import bar, some
from regard.model.data.corpus import Pair, Split, read_table, split
from regard.model.doubt.chance import DOUBT, FEATURES, LEAST, Doubt, Fitted, credit, features, save, sigmoid
from regard.model.evaluation.attention_faithfulness import kind
from regard.model.files import toml_beside
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace
from regard.model.translate import force, stream
from regard.model.truecasing import read_as
from regard.model.words import word_texts
from regard.pretrained.recipe.lists import FILES, TYPED_LANGUAGES, Typed, accepted, read_typed

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


RIDGE = 1.0  # λ
ITERATIONS = 50  # iterations at most; a dozen are enough
CLOSE = 1e-10  # change of β that ends the iterations
BINS = 10  # of a reliability diagram


def fit(features: Float[ndarray, "N K"], right: Bool[ndarray, " N"]) -> Float[ndarray, " M"]:
    """Return β, the intercept first, for features that have mean 0 and deviation 1."""
    design = np.column_stack([np.ones(len(features)), features])
    penalty = RIDGE * np.eye(design.shape[1])
    penalty[0, 0] = 1e-9  # keeps the step finite if all are right
    weights = np.zeros(design.shape[1])
    for _ in range(ITERATIONS):
        chances = sigmoid(design @ weights)
        curvature = design.T @ (design * (chances * (1 - chances))[:, None]) + penalty
        step = np.linalg.solve(curvature, design.T @ (right - chances) - penalty @ weights)
        weights = weights + step
        if np.abs(step).max() < CLOSE:
            break
    return weights


def area_under_roc(chances: Float[ndarray, " N"], right: Bool[ndarray, " N"]) -> float | None:
    """Return the AUC; None unless some are right and some wrong."""
    good, bad = chances[right], chances[~right]
    if not len(good) or not len(bad):
        return None
    order = np.sort(bad)
    below, above = np.searchsorted(order, good, "left"), np.searchsorted(order, good, "right")
    return float((below + above).mean() / (2 * len(bad)))


def reliability(chances: Float[ndarray, " N"], right: Bool[ndarray, " N"]) -> list[dict[str, Any]]:
    """Return the reliability diagram: count, mean chance and share right of each bin, lowest chances first."""
    groups = np.array_split(np.argsort(chances, kind="stable"), min(BINS, len(chances)))
    return [
        {
            "sentences": len(group),
            "chance": round(float(chances[group].mean()), 4),
            "right": round(float(right[group].mean()), 4),
        }
        for group in groups
    ]


def calibration_error(bins: list[dict[str, Any]]) -> float:
    """Return the ECE of a reliability diagram."""
    total = sum(row["sentences"] for row in bins)
    return sum(row["sentences"] * abs(row["right"] - row["chance"]) for row in bins) / total


SENTENCES, SEED = 200, 32
SHORTEST, LONGEST = 5, 20  # words in a reference
KINDS = {"left out": "deleted", "said twice": "doubled"}  # a flag, and the change it should find


@dataclass(frozen=True)
class MadeOmission:
    """A source, its reference before and after, and the source word that was deleted or doubled."""

    pair: Pair
    change: str  # "deleted" or "doubled"
    changed: str
    source_word: int


def made_omissions(
    model: AnyModel, pairs: Sequence[Pair], count: int = SENTENCES, seed: int = SEED
) -> list[MadeOmission]:
    """Return at most `count` altered references, one per source sentence."""
    random = Random(seed)
    distinct = list({pair.source: pair for pair in pairs}.values())
    random.shuffle(distinct)
    made: list[MadeOmission] = []
    for pair in distinct:
        if len(made) == count:
            break
        (trace,) = force(model, [(pair.source, pair.target)])
        side = trace.alignment.target
        content = [place for place, word in enumerate(side.words) if kind(word, side.language) in ("content", "word")]
        content = [place for place in content if place < side.spoken]
        if content and SHORTEST <= side.spoken <= LONGEST:
            word, change = random.choice(content), ("deleted", "doubled")[len(made) % 2]
            looked_at = int(trace.alignment.by_words().weights[word].argmax())
            made.append(MadeOmission(pair, change, _altered(side, word, change), looked_at))
    return made


def _altered(side: Sentence, word: int, change: str) -> str:
    span = side.spans[word]
    text = f" {side.text[span.start : span.stop].strip()}" if change == "doubled" else ""
    kept = side.text[: span.stop if change == "doubled" else span.start]
    return " ".join(f"{kept}{text}{side.text[span.stop :]}".split())


def flag_scores(model: AnyModel, doubt: Doubt, made: Sequence[MadeOmission]) -> dict[str, Any]:
    """Return precision and recall of each flag over the references, altered and unaltered. A sentence counts as found
    if it has a flag of that kind; `named` is the share whose flag is at the altered word."""
    altered = [doubt.flags(trace) for trace in force(model, [(one.pair.source, one.changed) for one in made])]
    untouched = [doubt.flags(trace) for trace in force(model, [(one.pair.source, one.pair.target) for one in made])]
    scores: dict[str, Any] = {"sentences": len(made)}
    for flag, change in KINDS.items():
        flagged = [{found.source for found in flags if found.kind == flag} for flags in altered]
        chosen = [place for place, one in enumerate(made) if one.change == change]
        right = sum(bool(flagged[place]) for place in chosen)
        wrong = sum(any(found.kind == flag for found in flags) for flags in untouched)
        named = sum(made[place].source_word in flagged[place] for place in chosen)
        scores[flag.replace(" ", "_")] = {
            change: len(chosen),
            "precision": round(right / max(1, right + wrong), 4),
            "recall": round(right / max(1, len(chosen)), 4),
            "named": round(named / max(1, len(chosen)), 4),
            "untouched_flagged": wrong,
        }
    return scores


CALIBRATION = "doubt"
FEWEST = 20  # translations to fit on
TARGETS = 30_000  # pairs of the training part in which repeated words are counted
HOW_DOUBT = {
    name: text.format(file=DOUBT, enough=ENOUGH, sentences=SENTENCES)
    for name, text in toml_beside(__file__, "how_measured.toml")["doubt"].items()
}


def calibrate(model: AnyModel, table: Path, most: int | None, place: Path | None) -> dict[str, Any]:
    """Write `doubt.json` to a place, unless that is None, and return its entry of `scores.json`. `most` limits the
    pairs of each part unless None."""
    text = _split(table)
    validation, test = (judged_pairs(model, some(part, most), bar) for part in (text.validation, text.test))
    seen, lists = validation, None
    if model.tokenizer.languages == TYPED_LANGUAGES:
        both = [judged_list(model, some(read_typed(path), most)) for path in FILES.values()]
        seen = reduce(Judged.joined, [validation, *(one.every_second(0) for one in both)])
        lists = reduce(Judged.joined, [one.every_second(1) for one in both])
    if len(seen.right) < FEWEST or seen.right.all() or not seen.right.any():
        raise InputError(
            f"{len(seen.right)} translations, {seen.right.sum()} of them acceptable, are too few to calibrate "
            f"{model.name} on; it takes {FEWEST}, of both kinds"
        )
    doubt = fitted(model, seen, validation, [pair.target for pair in some(text.train, TARGETS)])
    scores = {"fitted_on": len(seen.right), "held_out": measured(doubt, test)}
    scores |= {"lists": measured(doubt, lists)} if lists else {}
    scores["flags"] = flag_scores(model, doubt, made_omissions(model, text.test, most or SENTENCES))
    if place:
        save(doubt, place)
    return scores


@cache
def _split(table: Path) -> Split:
    return split(read_table(table))
