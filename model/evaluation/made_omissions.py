"""Made omissions and repetitions: references with one word deleted or doubled, on which coverage flags are measured.

In each sentence one content word is chosen at random and deleted or doubled, in turns. Its source word is the heaviest
one in its row while the unchanged reference is forced. The same seed makes the same set.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from regard.model.alignment import Sentence
from regard.model.checkpoint import AnyModel
from regard.model.data.corpus import Pair
from regard.model.doubt.chance import Doubt
from regard.model.evaluation.function_words import kind
from regard.model.translate import force

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
