"""Questions to a class about a translation, each with its options and the machine's answer.

The answer follows from the model's trace when the question is asked; students see it once the teacher reveals it.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regard.app.lesson.chapters import CHAPTERS
from regard.app.models.models import attends, title, without_attention
from regard.app.models.traces import any_changed, any_trace
from regard.app.theme import percent
from regard.app.wording import JOINER
from regard.model.alignment import STEP, token_label
from regard.model.changes.intervention import Intervention
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace, Trace

OPTIONS = 5  # tokens to choose from, one of them out of place
LONGEST_OPTION = 60  # characters
KINDS = {
    "look": "Where will it look?",
    "write": "What will it write next?",
    "without": "What happens without attention?",
    "drag": "What if it looked elsewhere?",
    "lesson": "A question of the lesson",
}
EFFECTS = ("The same translation", "Words are missing", "Other words, none missing", "It does not end")
NO_WEIGHTS = "“{}” has no attention weights; choose another model."
NO_TWIN = "No model here differs from “{}” only in having no attention."
NO_QUESTION = "This chapter has no question about this sentence; choose another chapter or sentence."
ONE_ATTENTION = "This question needs a model with one attention a step; “{}” has many heads."


@dataclass(frozen=True)
class Asked:
    """A question as it is put. `shares` has the machine's number for each option, between 0 and 1, or nothing."""

    kind: str
    model: str
    fingerprint: str
    sentence: str
    step: int  # counted from 1
    prompt: str
    options: tuple[str, ...]
    right: int  # the option, from 0
    answer: str  # a sentence
    shares: tuple[float, ...] = ()
    typed: bool = False  # whether a word of one's own counts, too

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Asked":
        """Return the question that `dataclasses.asdict` wrote."""
        return cls(**{**values, "options": tuple(values["options"]), "shares": tuple(values["shares"])})

    def vote(self, value: str) -> int:
        """Return the option that a vote chose, from 0, or −1 for a word of one's own."""
        if value in self.options:
            return self.options.index(value)
        return next((place for place, option in enumerate(self.options) if option.casefold() == value.casefold()), -1)


def ask(kind: str, model: str, sentence: str, step: int, aside: int = 0) -> Asked:
    """Return a question of one of `KINDS` about this step, counted from 1; `aside` is the source word that all weight
    is moved to, or the chapter of the lesson. Raises InputError where the sentence or model allows none.
    """
    trace = any_trace(model, sentence, "")
    step = max(1, min(len(trace.target), step))
    prompt, options, right, answer, *rest = _MAKERS[kind](trace, step, aside)
    options = tuple(option[:LONGEST_OPTION] for option in options)
    shares = tuple(map(float, rest[0])) if rest else ()
    facts = trace.maker.name, trace.maker.fingerprint, trace.alignment.source.text
    return Asked(kind, *facts, step, prompt, options, int(right), answer, shares, kind in ("write", "drag"))


def written(trace: AnyTrace, step: int) -> str:
    """Return what is written before a step, as people read it."""
    target = trace.alignment.target
    begin = target.characters[step - 1].start if step <= len(target.characters) else len(target.text)
    return f"{target.text[:begin].rstrip()} …".strip()


def _look(trace: AnyTrace, step: int, _: int) -> tuple[Any, ...]:
    if not attends(trace.maker.name):
        raise InputError(NO_WEIGHTS.format(title(trace.maker.name)))
    weights = trace.alignment.by_words(STEP).weights[step - 1]
    words = distinct(trace.alignment.source.words)
    best = int(weights.argmax())
    prompt = f"Written so far: “{written(trace, step)}” Which word will the decoder look at most for the next one?"
    answer = f"It looks most at “{words[best]}” ({percent(float(weights[best]))}) and writes {_wrote(trace, step)}."
    return prompt, words, best, answer, weights


def _write(trace: AnyTrace, step: int, _: int) -> tuple[Any, ...]:
    options, shares = _tokens(trace, step, [trace.target[step - 1]])
    right = options.index(token_label(trace.target[step - 1]))
    chance = math.exp(trace.log_probabilities[step - 1])
    answer = f"It writes {_wrote(trace, step)}, with a probability of {percent(chance)}."
    return f"Written so far: “{written(trace, step)}” What comes next?", options, right, answer, shares


def _drag(trace: AnyTrace, step: int, word: int) -> tuple[Any, ...]:
    if not isinstance(trace, Trace) or not attends(trace.maker.name):
        raise InputError((NO_WEIGHTS if isinstance(trace, Trace) else ONE_ATTENTION).format(title(trace.maker.name)))
    source = trace.alignment.source
    word = max(0, min(len(source.words) - 1, word))
    own = [owner == word for owner in source.word_of]
    row = tuple(mine / sum(own) for mine in own)
    changed = any_changed(trace.maker.name, source.text, "", Intervention(weights=((step - 1, row),)))
    after = changed.target[step - 1] if step <= len(changed.target) else trace.target[step - 1]
    options, shares = _tokens(changed, step, [after, trace.target[step - 1]])
    name = distinct(source.words)[word]
    answer = f"It then writes “{token_label(after)}”; left alone, it writes {_wrote(trace, step)}."
    prompt = f"Written so far: “{written(trace, step)}” All weight of this step moves to “{name}”. What comes next?"
    return prompt, options, options.index(token_label(after)), answer, shares


def _without(trace: AnyTrace, step: int, _: int) -> tuple[Any, ...]:
    name = trace.maker.name
    other = without_attention(name)
    if not attends(name) or not other:
        raise InputError(NO_TWIN.format(title(name)))
    sentence = trace.alignment.source.text
    without = any_trace(other, sentence, "")
    kept, left = (sorted(map(str.casefold, one.alignment.target.lettered)) for one in (trace, without))
    if without.text == trace.text:
        right = 0
    elif without.stop == "limit":
        right = 3
    else:
        right = 1 if len(left) < len(kept) else 2
    prompt = f"“{trace.text}” What becomes of this translation if the decoder has no attention?"
    return prompt, EFFECTS, right, f"Without attention: “{without.text or '—'}” ({EFFECTS[right].lower()})."


def _lesson(trace: AnyTrace, step: int, chapter: int) -> tuple[Any, ...]:
    asking, name = CHAPTERS[max(1, min(len(CHAPTERS), chapter)) - 1], trace.maker.name
    asks = asking.picture and attends(name)
    found = asking.asked(trace) if isinstance(trace, Trace) and asks else None
    if found is None:
        raise InputError(NO_QUESTION)
    return _plain(found.question), tuple(map(_plain, found.options)), found.right, f"{found.answer} {found.why}"


def _plain(markdown: str) -> str:
    """Return the lesson's Markdown as text, which a question is."""
    return re.sub(r"\\(.)|[*`$]", r"\1", markdown).replace(JOINER, "")


_Maker = Callable[[Any, int, int], tuple[Any, ...]]
_MAKERS: dict[str, _Maker] = {"look": _look, "write": _write, "without": _without, "drag": _drag, "lesson": _lesson}


def distinct(words: Sequence[str]) -> list[str]:
    """Return the words, numbered where several are equal."""
    return [
        f"{word} ({words[: place + 1].count(word)})" if words.count(word) > 1 else word
        for place, word in enumerate(words)
    ]


def _wrote(trace: AnyTrace, step: int) -> str:
    return f"“{token_label(trace.target[step - 1])}”"


def _tokens(trace: AnyTrace, step: int, needed: Sequence[str]) -> tuple[list[str], list[float]]:
    """Return tokens to choose from, in alphabetical order, with their probabilities at this step: those needed, the
    likeliest, and one that this translation writes elsewhere, whose probability is less than the last one listed.
    """
    at = min(step, len(trace.target)) - 1
    likely = dict(zip(map(token_label, trace.top_tokens[at]), trace.top_probabilities[at].tolist(), strict=True))
    here = list(dict.fromkeys([*map(token_label, needed), *likely]))
    elsewhere = next((label for label in map(token_label, trace.target) if label not in here), None)
    options = [*here[: OPTIONS - (elsewhere is not None)], *([elsewhere] if elsewhere else [])]
    options = sorted(options, key=str.casefold)
    return options, [likely.get(option, 0.0) for option in options]
