"""Change text: each change in plain words, with the changes that remain without it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from regard.model.alignment import Sentence, token_label
from regard.model.changes.forced_text import JOINT
from regard.model.changes.head_changes import head_name
from regard.model.changes.intervention import ANNOTATION, VECTORS, Intervention
from regard.model.changes.rewording import reword
from regard.model.tokenizer import Tokenizer
from regard.model.trace import AnyTrace
from regard.model.words import END


class ChangeText(NamedTuple):
    text: str
    without: Intervention  # the changes without this one


OfStep = tuple[int, ChangeText]


def change_texts(tokenizer: Tokenizer, sentence: str, before: AnyTrace, after: AnyTrace) -> list[ChangeText]:
    """Return the changes of `after`, those of the whole translation first; `before` is the trace without them."""
    kinds = _tokens(before, after), _weights(after), _bonus(after), _head_weights(after), _vectors(after)
    by_step = sorted(chain(*kinds), key=itemgetter(0))
    whole = chain(_words(tokenizer, sentence, after.intervention), _hidden(after), _settings(after.intervention))
    return [*whole, *(change for _, change in by_step)]


def _words(tokenizer: Tokenizer, sentence: str, changes: Intervention) -> Iterator[ChangeText]:
    plain = tokenizer.encode(sentence, tokenizer.languages[0])
    own = [plain.text[span.start : span.stop] for span in plain.words]
    for word, text in changes.words:
        without = reword(tokenizer, sentence, changes, word, own[word])
        yield ChangeText(f"“{own[word]}” is replaced by “{text}”", without)


def _hidden(after: AnyTrace) -> Iterator[ChangeText]:
    """Describe masked positions, neighbouring tokens of one word as one change."""
    source, changes = after.alignment.source, after.intervention
    for positions in _runs(changes.hidden, source):
        left = tuple(position for position in changes.hidden if position not in positions)
        yield ChangeText(f"{_named(source, positions)} is masked", replace(changes, hidden=left))


def _settings(changes: Intervention) -> Iterator[ChangeText]:
    """Describe the temperature and the heads that are off."""
    if changes.temperature != 1:
        yield ChangeText(f"softmax temperature {changes.temperature:g}", replace(changes, temperature=1.0))
    for place, head in enumerate(changes.heads_off):
        yield ChangeText(f"{head_name(head)} is switched off", _without(changes, "heads_off", place))


def _tokens(before: AnyTrace, after: AnyTrace) -> Iterator[OfStep]:
    """Describe forced tokens with the step of each, neighbouring tokens of one word as one change."""
    changes, target = after.intervention, after.alignment.target
    for steps in _runs((step for step, _ in changes.tokens), target):
        left = tuple(change for change in changes.tokens if change[0] not in steps)
        text = f"{_steps(steps)}: {_writes(before.alignment.target, target, steps)}"
        yield steps[0], ChangeText(text, replace(changes, tokens=left))


def _writes(before: Sentence, after: Sentence, steps: Sequence[int]) -> str:
    """Describe the tokens written at some steps, and the earlier ones if they differ."""
    earlier = [step for step in steps if step < len(before.tokens)]
    now, then = _named(after, steps), _named(before, earlier)
    verb = "ends the sentence" if after.tokens[steps[0]] == END else f"writes {now}"
    if now != then:
        return f"{verb} instead of {then}" if then else verb
    if [after.tokens[step] for step in steps] == [before.tokens[step] for step in earlier]:
        return f"{verb}, as before"
    apart, was = (sentence.tokens[steps[0]].startswith(" ") for sentence in (after, before))
    return f"{verb} {'as other tokens' if apart == was else 'after a blank' if apart else 'without a blank before it'}"


def _weights(after: AnyTrace) -> Iterator[OfStep]:
    for place, (step, _) in enumerate(after.intervention.weights):
        text = f"{_steps([step])}: weights set by hand"
        yield step, ChangeText(text, _without(after.intervention, "weights", place))


def _bonus(after: AnyTrace) -> Iterator[OfStep]:
    for place, (step, position, value) in enumerate(after.intervention.bonus):
        done = f"{abs(value):g} {'added to' if value > 0 else 'taken from'}"
        text = f"{_steps([step])}: {done} the score of {_named(after.alignment.source, [position])}"
        yield step, ChangeText(text, _without(after.intervention, "bonus", place))


def _head_weights(after: AnyTrace) -> Iterator[OfStep]:
    """Describe rows of single heads with the step of each; rows of the encoder come before the first step."""
    for place, (attention, layer, head, row, _) in enumerate(after.intervention.head_weights):
        step, where = _place(after, row, attention == "encoder")
        text = f"{where}: weights of {head_name((attention, layer, head))} set by hand"
        yield step, ChangeText(text, _without(after.intervention, "head_weights", place))


def _vectors(after: AnyTrace) -> Iterator[OfStep]:
    """Describe vectors with the step of each; annotations come before the first step."""
    for place, (name, at, _) in enumerate(after.intervention.vectors):
        step, where = _place(after, at, name == ANNOTATION)
        text = f"{where}: {VECTORS[name]} set by hand"
        yield step, ChangeText(text, _without(after.intervention, "vectors", place))
    for place, (attention, layer, head, step, _) in enumerate(after.intervention.head_vectors):
        text = f"{_steps([step])}: what {head_name((attention, layer, head))} mixes set by hand"
        yield step, ChangeText(text, _without(after.intervention, "head_vectors", place))


def _place(after: AnyTrace, at: int, encoding: bool) -> tuple[int, str]:
    """Return the step by which a change is sorted, and the name of its place: a source token in the encoder."""
    return (-1, _named(after.alignment.source, [at])) if encoding else (at, _steps([at]))


def _runs(places: Iterable[int], sentence: Sentence) -> list[list[int]]:
    """Group places that are next to each other in one word."""
    numbered = enumerate(sorted(places))
    runs = groupby(numbered, key=lambda item: (item[1] - item[0], sentence.word_of[item[1]]))
    return [[place for _, place in run] for _, run in runs]


def _named(sentence: Sentence, places: Sequence[int]) -> str:
    """Quote the text of neighbouring tokens, with a dot if it continues a word."""
    if not places:
        return ""
    if sentence.tokens[places[0]] == END and places[0] == len(sentence.tokens) - 1:
        return "the end of the sentence"
    first, *_, last = (sentence.characters[place] for place in (places[0], *places, places[-1]))
    text = sentence.text[first.start : last.stop]
    inside = places[0] > 0 and sentence.word_of[places[0]] == sentence.word_of[places[0] - 1]
    return f"“{JOINT if inside else ''}{text or token_label(sentence.tokens[places[0]])}”"


def _steps(steps: Sequence[int]) -> str:
    """Name the steps, counted from 1."""
    return f"step {steps[0] + 1}" if len(steps) == 1 else f"steps {steps[0] + 1} to {steps[-1] + 1}"


def _without(changes: Intervention, name: str, place: int) -> Intervention:
    """Return the intervention without one change of a field."""
    rows: tuple[Any, ...] = getattr(changes, name)
    return replace(changes, **{name: (*rows[:place], *rows[place + 1 :])})
