"""Intervention: all of a person's changes to one translation, as a value; the rest is left to the model.

Its fields are rows of kinds of change, each declared by its columns and a text (`KINDS`). From the columns follows what
a change must satisfy, which steps it changes, where it moves with a changed word and how it is described.

Words are changed before anything is read, so positions are those of the changed sentence. Steps and source positions
count from 0, in tokens. A head of a Transformer is named by its attention, its layer and its number there, both from 0;
a head that is off adds nothing to the residual stream (Michel, Levy and Neubig 2019, section 2.3). `at` is a source
position in the encoder, and a step elsewhere. Weights run over the source tokens, but in the decoder's self-attention
over the tokens fed so far.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence, token_label
from regard.model.input_error import InputError, PlaceError
from regard.model.reference.formulas import NO_STEERING, NumpyHeadChange, NumpySteering
from regard.model.values import checked, read
from regard.model.words import END, normalise

NEAR = 1e-4  # allowed distance of a row's sum from 1
TEMPERATURES = (0.05, 20.0)  # from the sharpest to the flattest softmax
FARTHEST_BONUS = 1000.0
GREATEST = 10_000.0  # component of a vector; what is computed from it stays finite in float32
LONGEST_WORD = 200  # characters of a word put in place of another
JOINT = "·"  # a text that begins with it continues the word before
ATTENTIONS = ("encoder", "decoder", "cross")
ANNOTATION = "annotation"  # the one vector of a source position; the others are of a step
VECTORS = {  # names for people
    ANNOTATION: "annotation",
    "state": "state",
    "context": "context",
    "attentional": "attentional vector",
}
ONLY_TRANSFORMERS = "which only a Transformer has; this model is recurrent"
Head = tuple[str, int, int]  # attention, layer, number
HeadRow = tuple[str, int, int, int, tuple[float, ...]]  # a head, one of its rows, the weights or components
VectorRow = tuple[str, int, tuple[float, ...]]  # one of VECTORS, step or source position, components
Layout = Mapping[str, tuple[int, int]]  # layers, and heads of each, by attention
Rows = tuple[Any, ...]
Values = dict[str, Any]  # of a row, by column


class Fit(NamedTuple):
    """Limits of a change: the source positions that may be looked at, tokens that can be written, and heads."""

    open: Bool[ndarray, " S"]
    vocabulary: range = range(0)
    layout: Layout | None = None  # None leaves heads unchecked


class Moved(NamedTuple):
    """A sentence before and after a word was replaced: the first `first` and the last `last` of its `old` and `new`
    positions are the same."""

    old: int
    new: int
    first: int
    last: int

    def place(self, position: int) -> int | None:
        """Return the place of an old position, None if it has gone."""
        if position < self.first:
            return position
        return position + self.new - self.old if self.old - self.last <= position < self.old else None

    def row(self, weights: Sequence[float]) -> tuple[float, ...] | None:
        """Return weights with those of old positions spread evenly over the new ones; None if there is no new one."""
        weight, between = sum(weights[self.first : self.old - self.last]), max(0, self.new - self.last - self.first)
        if weight and not between:
            return None
        return (*weights[: self.first], *[weight / max(1, between)] * between, *weights[self.old - self.last :])


@dataclass(frozen=True)
class ChangeKind:
    """A kind of change: the columns of its rows, and its text with places for what `_words_of` finds."""

    columns: tuple[str, ...]
    text: str

    def values(self, row: Any) -> Values:
        """Return the values of a row by column, with `at` as a position or a step."""
        found = dict(zip(self.columns, row if isinstance(row, tuple) else (row,), strict=True))
        if "at" in found:
            encoder = found.get("attention") == "encoder" or found.get("vector") == ANNOTATION
            found["position" if encoder else "step"] = found["at"]
        return found

    def check(self, name: str, rows: Rows) -> None:
        """Check rows by themselves; a place may begin with the name of an attention or a vector. Raises InputError."""
        seen: set[Rows] = set()
        for values in map(self.values, rows):
            place = tuple(values[column] for column in self.columns if column not in CONTENT)
            named = isinstance(place[0], str) if place else False
            where, numbers = f"{name}, {place[0]}" if named else name, place[named:]
            if min(numbers, default=0) < 0:
                raise InputError(f"{where}: {min(numbers)} is below 0, where counting begins")
            if place in seen:
                raise InputError(f"{where}: {', '.join(map(str, numbers))} is named more than once")
            seen.add(place)
            attentions = ATTENTIONS[1:] if "components" in values else ATTENTIONS
            for column, known in (("attention", attentions), ("vector", VECTORS)):
                if column in values and values[column] not in known:
                    raise InputError(f"{column} is {values[column][:40]!r}; accepted are {', '.join(known)}")
            _check_content(where, values)

    def fit(self, rows: Rows, fit: Fit) -> None:
        """Check rows against a sentence and a model. Raises InputError naming the place and the reason."""
        positions = len(fit.open)
        for values in map(self.values, rows):
            if "attention" in values and fit.layout is not None:
                layers, heads = fit.layout.get(values["attention"], (0, 0))
                if not layers:
                    raise InputError(f"the intervention changes single heads, {ONLY_TRANSFORMERS}")
                if values["layer"] >= layers or values["head"] >= heads:
                    problem = f" does not exist; the model has layers: {layers}, heads of each: {heads}"
                    raise PlaceError(head_places(_head(values)), problem)
            if values.get("position", -1) >= positions:
                head = head_places(_head(values)) if "attention" in values else {}
                problem = f" is past the end: the source has {positions} tokens"
                raise PlaceError(head | {"source token": values["position"]}, problem)
            if "token" in values and values["token"] not in fit.vocabulary:
                accepted = f"{fit.vocabulary.start} to {fit.vocabulary.stop - 1}"
                raise PlaceError(
                    _places(values), f": token {values['token']} cannot be written; accepted are {accepted}"
                )
            if "weights" in values:
                _check_width(values, fit)

    def steps(self, rows: Rows) -> list[int]:
        """Return the steps that the rows change."""
        return [values["step"] for values in map(self.values, rows) if "step" in values]

    def carried(self, rows: Rows, moved: Moved) -> Rows:
        """Return the rows for a sentence with a replaced word; those without a place there are dropped."""
        moved_rows = []
        for row in rows:
            values = self.values(row)
            if "position" in values:
                values["position"] = values["at"] = moved.place(values["position"])
            if "weights" in values and values.get("attention") != "decoder":
                values["weights"] = moved.row(values["weights"])
            made = tuple(values[column] for column in self.columns)
            if None not in made:
                moved_rows.append(made if isinstance(row, tuple) else made[0])
        return tuple(moved_rows)

    def described(self, rows: Rows, before: Alignment, after: Alignment) -> Iterator[tuple[int, str, Rows]]:
        """Yield an order, a text and its rows for each change; neighbouring tokens of one word that are masked or
        written are one. The order is the step, or below 0 for the encoder or the whole translation."""
        for group in self._groups(rows, after):
            values = [self.values(row) for row in group]
            order = values[0].get("step", -1) if "{where}" in self.text else -2
            yield order, self.text.format(**_words_of(values, before, after)), tuple(group)

    def _groups(self, rows: Rows, after: Alignment) -> list[list[Any]]:
        if self.columns not in (("position",), ("step", "token")):
            return [[row] for row in rows]
        side, column = (after.source, "position") if "position" in self.columns else (after.target, "step")
        placed = {self.values(row)[column]: row for row in rows}
        ordered = enumerate(sorted(placed))
        runs = groupby(ordered, key=lambda item: (item[1] - item[0], side.word_of[item[1]]))
        return [[placed[place] for _, place in run] for _, run in runs]


KINDS: dict[str, ChangeKind] = {  # by the name of the field of an intervention, in the order of a list of changes
    "words": ChangeKind(("word", "text"), "“{own}” is replaced by “{text}”"),
    "hidden": ChangeKind(("position",), "{positions} is masked"),
    "temperature": ChangeKind(("temperature",), "softmax temperature {temperature:g}"),
    "heads_off": ChangeKind(("attention", "layer", "head"), "{head} is switched off"),
    "tokens": ChangeKind(("step", "token"), "{where}: {written}"),
    "weights": ChangeKind(("step", "weights"), "{where}: weights set by hand"),
    "bonus": ChangeKind(("step", "position", "bonus"), "{where}: {added} the score of {positions}"),
    "head_weights": ChangeKind(
        ("attention", "layer", "head", "at", "weights"), "{where}: weights of {head} set by hand"
    ),
    "vectors": ChangeKind(("vector", "at", "components"), "{where}: {vector} set by hand"),
    "head_vectors": ChangeKind(
        ("attention", "layer", "head", "step", "components"), "{where}: what {head} mixes set by hand"
    ),
}
CONTENT = ("text", "temperature", "token", "weights", "bonus", "components")  # columns that name no place


def head_name(of: Head) -> str:
    """Return the head's name for a person, counted from 1."""
    attention, layer, head = of
    return f"{attention} attention, layer {layer + 1}, head {head + 1}"


def head_places(of: Head) -> dict[str, int]:
    """Return the places that name the head in a `PlaceError`."""
    attention, layer, head = of
    return {f"{attention} attention, layer": layer, "head": head}


def _head(values: Values) -> Head:
    return values["attention"], values["layer"], values["head"]


def _places(values: Values) -> dict[str, int]:
    """Return the places that name a row in a `PlaceError`."""
    head = head_places(_head(values)) if "attention" in values else {}
    names = {"word": "source word", "at": "row"} if head else {"word": "source word", "step": "step"}
    if "bonus" in values:
        names["position"] = "source token"
    return head | {shown: values[column] for column, shown in names.items() if column in values}


def _check_content(where: str, values: Values) -> None:
    """Check what a row puts at its place; a number that is NaN fails every comparison. Raises InputError."""
    places, weights = _places(values), values.get("weights", ())
    if "text" in values and (len(values["text"]) > LONGEST_WORD or not normalise(values["text"])):
        accepted = f"accepted are 1 to {LONGEST_WORD} characters that are not all blank"
        raise PlaceError(places, f": what stands in its place is “{values['text'][:40]}”; {accepted}")
    if "bonus" in values and not abs(values["bonus"]) <= FARTHEST_BONUS:
        accepted = f"accepted is a number from −{FARTHEST_BONUS:g} to {FARTHEST_BONUS:g}"
        raise PlaceError(places, f": the bonus is {values['bonus']}; {accepted}")
    low, high = TEMPERATURES
    if not low <= values.get("temperature", 1) <= high:
        accepted = f"accepted is a number from {low:g} to {high:g}"
        raise InputError(f"the temperature is {values['temperature']}; {accepted}")
    if not all(abs(value) <= GREATEST for value in values.get("components", ())):
        raise InputError(f"{where}: accepted are components within ±{GREATEST:,.0f}")
    for position, weight in enumerate(weights):
        if not 0 <= weight <= 1 + NEAR:
            column = "token" if "attention" in values else "source token"
            problem = f": the weight is {weight}; accepted is a number from 0 to 1"
            raise PlaceError(places | {column: position}, problem)
    if "weights" in values and abs(math.fsum(weights) - 1) > NEAR:
        raise PlaceError(places, f": the weights add up to {math.fsum(weights):.6g}; they must add up to 1")


def _check_width(values: Values, fit: Fit) -> None:
    """Check the number of weights, and that masked positions have none."""
    weights, attention, places = values["weights"], values.get("attention"), _places(values)
    most = values["step"] + 1 if attention == "decoder" else len(fit.open)
    if len(weights) != most:
        end = f"{most} tokens can be looked at" if attention else f"the source has {most} tokens"
        raise PlaceError(places, f": there are {len(weights)} weights; {end}")
    masked = np.flatnonzero((np.array(weights) > 0) & ~fit.open) if attention in (None, "cross") else []
    if len(masked):
        problem = ": it has a weight and is masked; its weight must be 0"
        raise PlaceError(places | {"source token": int(masked[0])}, problem)


def _words_of(values: Sequence[Values], before: Alignment, after: Alignment) -> dict[str, Any]:
    """Return what the text of a change may name: `values` are of neighbouring rows."""
    found, one = dict(values[0]), values[0]
    if "word" in one:
        found["own"] = before.source.words[one["word"]]
    if "attention" in one:
        found["head"] = head_name(_head(one))
    if "vector" in one:
        found["vector"] = VECTORS[one["vector"]]
    if "bonus" in one:
        found["added"] = f"{abs(one['bonus']):g} {'added to' if one['bonus'] > 0 else 'taken from'}"
    if "position" in one:
        found["where"] = found["positions"] = _quoted(after.source, [each["position"] for each in values])
    if "step" in one:
        steps = [each["step"] for each in values]
        found["where"] = f"step {steps[0] + 1}" if len(steps) == 1 else f"steps {steps[0] + 1} to {steps[-1] + 1}"
    if "token" in one:
        found["written"] = _written(before.target, after.target, [each["step"] for each in values])
    return found


def _quoted(sentence: Sentence, places: Sequence[int]) -> str:
    """Quote the text of neighbouring tokens, with a dot if it continues a word."""
    if not places:
        return ""
    if sentence.tokens[places[0]] == END and places[0] == len(sentence.tokens) - 1:
        return "the end of the sentence"
    text = sentence.text[sentence.characters[places[0]].start : sentence.characters[places[-1]].stop]
    inside = places[0] > 0 and sentence.word_of[places[0]] == sentence.word_of[places[0] - 1]
    return f"“{JOINT if inside else ''}{text or token_label(sentence.tokens[places[0]])}”"


def _written(before: Sentence, after: Sentence, steps: Sequence[int]) -> str:
    """Describe the tokens written at some steps, and the earlier ones if they differ."""
    earlier = [step for step in steps if step < len(before.tokens)]
    now, then = _quoted(after, steps), _quoted(before, earlier)
    verb = "ends the sentence" if after.tokens[steps[0]] == END else f"writes {now}"
    if now != then:
        return f"{verb} instead of {then}" if then else verb
    if [after.tokens[step] for step in steps] == [before.tokens[step] for step in earlier]:
        return f"{verb}, as before"
    return f"{verb} as other tokens"


EXAMPLE = '{"tokens": [[2, 417]], "hidden": [0], "temperature": 0.5}'
ACCEPTED = "Accepted are fields such as tokens=((2, 417),), hidden=(0,), temperature=0.5"
OF_HEADS = ("heads_off", "head_vectors", "head_weights")
HEADS_EXAMPLE = '{"heads_off": [["cross", 2, 0]]}'  # attention, layer, head


@dataclass(frozen=True)
class Intervention:
    """Forced tokens, replaced weights, masked positions, changed words, bonuses to scores, a temperature, vectors.

    In a Transformer these hold for every head of every layer's cross-attention; `heads_off`, `head_weights` and
    `head_vectors` change single heads. The value alone is checked here, `check` tests it against a sentence, and
    `HookedVectors` the sizes of vectors. Arrays and lists become tuples. Raises InputError.
    """

    words: tuple[tuple[int, str], ...] = ()  # source word, text in its place
    tokens: tuple[tuple[int, int], ...] = ()  # step, id of the token written there
    weights: tuple[tuple[int, tuple[float, ...]], ...] = ()  # step, a weight for each source position
    hidden: tuple[int, ...] = ()  # source positions masked at every step
    bonus: tuple[tuple[int, int, float], ...] = ()  # step, source position, number added to the score
    temperature: float = 1.0  # of the softmax over scores, at every step
    heads_off: tuple[Head, ...] = ()  # heads of a Transformer that add nothing
    head_weights: tuple[HeadRow, ...] = ()  # head, one of its rows, the weights there
    vectors: tuple[VectorRow, ...] = ()  # a vector of a step or source position, its replacement
    head_vectors: tuple[HeadRow, ...] = ()  # head of the decoder, step, its output z there

    def __post_init__(self) -> None:
        for field in fields(self):
            value = checked(field.type, getattr(self, field.name), field.name, ACCEPTED)
            object.__setattr__(self, field.name, value)
        for name, kind in KINDS.items():
            kind.check(name, self.rows(name))
        both = {*self.heads_off} & {row[:3] for row in self.head_weights}
        if both:
            raise PlaceError(head_places(min(both)), " is switched off and given weights; only one can be")

    def rows(self, name: str) -> Rows:
        """Return a field as rows; a temperature is one unless it is 1."""
        if name != "temperature":
            return getattr(self, name)
        return (self.temperature,) if self.temperature != 1 else ()

    def with_rows(self, **rows: Rows) -> "Intervention":
        """Return the intervention with other rows in some fields."""
        values: dict[str, Any] = dict(rows)
        if "temperature" in rows:
            values["temperature"] = rows["temperature"][0] if rows["temperature"] else 1.0
        return replace(self, **values)

    @property
    def steers(self) -> bool:
        """Return True if attention itself is changed."""
        return bool(self.weights or self.hidden or self.bonus) or self.temperature != 1

    @property
    def steps(self) -> list[int]:
        """Return every step with a change, unordered and with repetitions."""
        return [step for name, kind in KINDS.items() for step in kind.steps(self.rows(name))]

    @property
    def changes_heads(self) -> bool:
        """Return True if single heads are changed."""
        return bool(self.heads_off or self.head_weights)

    def check(self, reach: Bool[ndarray, " S"], vocabulary: range) -> None:
        """Check that this can be done to a sentence; `reach` marks the positions the decoder may attend to. Raises
        InputError naming the place and the reason."""
        for name, kind in KINDS.items():
            if name not in OF_HEADS:
                kind.fit(self.rows(name), Fit(self.open(reach), vocabulary))
        if not self.open(reach).any():
            raise InputError("every source token is masked; at least one that the model can look at has to stay")

    def check_heads(self, layout: Layout, reach: Bool[ndarray, " S"]) -> None:
        """Check the changes of single heads against a model of this layout. Raises InputError naming the head."""
        for name in OF_HEADS:
            KINDS[name].fit(self.rows(name), Fit(self.open(reach), layout=layout))

    def open(self, reach: Bool[ndarray, " S"]) -> Bool[ndarray, " S"]:
        """Return the positions of `reach` that are not masked."""
        return reach & ~np.isin(np.arange(len(reach)), self.hidden)

    def check_end(self, steps: int) -> None:
        """Check that a translation of this many steps has every changed step. Raises InputError."""
        late = [step for step in self.steps if step >= steps]
        if late:
            problem = f" is past the end: the translation has {steps} step{'s' * (steps > 1)}"
            raise PlaceError({"step": min(late)}, problem)

    def carried(self, moved: Moved) -> "Intervention":
        """Return the changes for a sentence with a replaced word. Those at positions without a successor are dropped,
        as is a row whose weight was on such positions."""
        return self.with_rows(**{name: kind.carried(self.rows(name), moved) for name, kind in KINDS.items()})

    def steering(self, steps: int, positions: int, first: int = 0) -> NumpySteering:
        """Return the changes of attention as arrays, with a row for each of `steps` steps from `first` on. If only
        tokens or words are changed, this is `NO_STEERING`."""
        vectors = {(name, step - first * (name != ANNOTATION)): np.array(values) for name, step, values in self.vectors}
        if not self.steers:
            return replace(NO_STEERING, vectors=vectors) if vectors else NO_STEERING
        bonus, weights = np.zeros((steps, positions)), np.zeros((steps, positions))
        replaced, hidden = np.zeros((steps, 1), dtype=bool), np.zeros((1, positions), dtype=bool)
        hidden[0, list(self.hidden)] = True
        rows = range(first, first + steps)
        for step, row in self.weights:
            if step in rows:
                weights[step - first], replaced[step - first] = row, True
        for step, position, value in self.bonus:
            if step in rows:
                bonus[step - first, position] = value
        return NumpySteering(bonus, np.full((1, 1), self.temperature), hidden, weights, replaced, vectors)

    def heads(self, attention: str, shape: tuple[int, int], first: int = 0) -> tuple[NumpyHeadChange, ...]:
        """Return the changes of heads in one attention; `shape` is its rows, from `first` on, and its columns."""
        size, off = (shape[0], 1), (np.zeros((1, 1)), np.ones((1, 1), dtype=bool))
        none = [NumpyHeadChange(*head, *off) for head in self.heads_off if head[0] == attention]
        by_head: dict[Head, NumpyHeadChange] = {}
        for name, layer, head, row, weights in self.head_weights:
            if name == attention and first <= row < first + shape[0]:
                fresh = NumpyHeadChange(name, layer, head, np.zeros(shape), np.zeros(size, dtype=bool))
                change = by_head.setdefault((name, layer, head), fresh)
                change.weights[row - first, : len(weights)] = weights
                change.replaced[row - first] = True
        return (*none, *by_head.values())

    def all_heads(self, positions: int, steps: int) -> tuple[NumpyHeadChange, ...]:
        """Return the changes of single heads in every attention of a whole translation."""
        shapes = {"encoder": (positions, positions), "decoder": (steps, steps), "cross": (steps, positions)}
        changes = tuple(change for attention, shape in shapes.items() for change in self.heads(attention, shape))
        return (*changes, *(NumpyHeadChange.mixing(*row) for row in self.head_vectors))

    def to_json(self) -> str:
        """Return one line of JSON with the changes alone."""
        plain, values = asdict(UNTOUCHED), asdict(self)
        return json.dumps(
            {name: _short(value) for name, value in values.items() if value != plain[name]},
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> "Intervention":
        """Read `to_json`'s text. Raises InputError naming the place and the accepted values."""
        return read(cls, text, f"An intervention is JSON such as {EXAMPLE}")


def _short(value: object) -> Any:
    """Return whole numbers without a decimal point, and tuples as lists."""
    if isinstance(value, tuple | list):
        return [_short(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


UNTOUCHED = Intervention()
