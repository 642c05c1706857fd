"""Metadata beside a stranger's model, as this program writes it: scores, how it was trained, its card.

All of it is shown, so all of it is checked. What is not there is not asked for, and entries that the program does not
know are let through and never read.
"""

import csv
import json
import re
from dataclasses import dataclass, field
from io import StringIO
from math import isfinite
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from model.cards.record_files import FORMAT
from model.input_error import InputError

DEEPEST = 30  # lists within lists in JSON; ours have about ten
MOST_ROWS = 100_000  # of a history

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

Record = TypeVar("Record")
Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=10**15)]
Share = Annotated[float, Field(ge=0, le=1)]
Tau = Annotated[float, Field(ge=-1, le=1)]
Name = Annotated[str, Field(max_length=200)]
Place = Annotated[int, Field(ge=0, le=1000)]  # of a layer, and of a head in it
Row = Annotated[list[Share], Field(min_length=1, max_length=64)]


@dataclass(frozen=True)
class BucketRecord:
    words: tuple[Count, Count]
    pairs: Count
    bleu: Finite
    interval: tuple[Finite, Finite] = (0.0, 0.0)


@dataclass(frozen=True)
class Search:
    by_length: list[BucketRecord] = field(default_factory=list)


@dataclass(frozen=True)
class TestRecord:
    searches: dict[Name, Search] = field(default_factory=dict)


@dataclass(frozen=True)
class Rates:
    aer: Share
    precision: Share
    recall: Share
    mass_on_sure: Share = 0.0
    mass_on_possible: Share = 0.0


NO_RATES = Rates(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Story:
    output: Rates = NO_RATES
    input: Rates = NO_RATES
    posterior: Rates = NO_RATES
    posterior_hmm: Rates = NO_RATES
    diagonal: Rates = NO_RATES
    ibm1: Rates = NO_RATES
    eflomal_forward: Rates = NO_RATES
    eflomal_reverse: Rates = NO_RATES
    eflomal_intersection: Rates = NO_RATES
    eflomal_grow_diag_final_and: Rates = NO_RATES


@dataclass(frozen=True)
class HeadRates:
    rows: Literal["output", "input"]
    layer: Place
    head: Place
    aer: Share
    precision: Share
    recall: Share


@dataclass(frozen=True)
class EveryHead:
    """The AER of each head of each layer, of the mean of each layer's heads, and of the mean of all."""

    heads: Annotated[list[Row], Field(min_length=1, max_length=64)]
    layers: Row
    mean: Share

    def __post_init__(self) -> None:
        if len({len(row) for row in self.heads}) != 1 or len(self.heads) != len(self.layers):
            raise ValueError("every layer has as many heads, and a mean of them")


@dataclass(frozen=True)
class HeadsRecord:
    output: EveryHead
    input: EveryHead
    best: HeadRates
    elsewhere: HeadRates = HeadRates("output", 0, 0, 0.0, 0.0, 0.0)
    chosen_on_the_others: dict[Name, HeadRates] = field(default_factory=dict)


NO_HEADS = EveryHead([[0.0]], [0.0], 0.0)


@dataclass(frozen=True)
class Alignments:
    overall: Story = Story()
    stories: dict[Name, Story] = field(default_factory=dict)
    heads: HeadsRecord = HeadsRecord(NO_HEADS, NO_HEADS, HeadRates("output", 0, 0, 0.0, 0.0, 0.0))


@dataclass(frozen=True)
class OneHeadOff:
    attention: Name
    layer: Place
    head: Place
    bleu: Finite


@dataclass(frozen=True)
class WithoutHead:
    pairs: Count
    bleu: Finite
    heads: list[OneHeadOff] = field(default_factory=list)


@dataclass(frozen=True)
class KeptRecord:
    words: Count
    kept: Share


@dataclass(frozen=True)
class AgreementRecord:
    mean: Tau | None
    steps: Count


@dataclass(frozen=True)
class Attention:
    sentences: Count
    steps: Count
    counterfactuals: dict[Name, dict[Name, KeptRecord]] = field(default_factory=dict)
    tau: dict[Name, AgreementRecord] = field(default_factory=dict)


@dataclass(frozen=True)
class Counted:
    length: Count
    share: Share
    interval: tuple[Share, Share]


@dataclass(frozen=True)
class Task:
    lengths: tuple[Count, Count]
    by_length: list[Counted] = field(default_factory=list)


@dataclass(frozen=True)
class BleuRecord:
    score: Finite = 0.0


@dataclass(frozen=True)
class GradeRecord:
    bleu: BleuRecord = BleuRecord()


@dataclass(frozen=True)
class PageRecord:
    pairs: Count = 0
    shipped: GradeRecord = GradeRecord()
    rounded: GradeRecord = GradeRecord()


@dataclass(frozen=True)
class ModelRecord:
    fingerprint: Name = ""


@dataclass(frozen=True)
class Scores:
    """`scores.json`, as far as screens and pages read it."""

    model: ModelRecord = ModelRecord()
    tests: dict[Name, TestRecord] = field(default_factory=dict)
    alignments: Alignments = Alignments()
    without_head: WithoutHead = WithoutHead(0, 0.0)
    attention: Attention = Attention(0, 0)
    task: Task = Task((0, 0))
    page: PageRecord = PageRecord()


@dataclass(frozen=True)
class EarlierRun:
    updates: Count | None = None


@dataclass(frozen=True)
class TrainingRecord:
    """`training.json`, as far as screens read it."""

    began_with: EarlierRun | None = None
    source_tokens: dict[Name, Count] = field(default_factory=dict)


def check_scores(content: bytes) -> Scores:
    return _check(content, Scores)


def check_training(content: bytes) -> None:
    _check(content, TrainingRecord)


def check_history(content: bytes) -> None:
    """A table of finite numbers, by update."""
    table = text(content)
    if not table.endswith("\n"):
        raise InputError("it breaks off in its last line")
    rows = csv.DictReader(StringIO(table))
    try:
        if "update" not in (rows.fieldnames or ()):
            raise InputError("its first line has no column “update”")
        for number, row in enumerate(rows, start=2):
            if number > MOST_ROWS:
                raise InputError(f"it has more than {MOST_ROWS:,} lines")
            if not all(isinstance(value, str) and isfinite(float(value)) for value in row.values()):
                raise InputError(f"line {number} has no number under each heading")
    except csv.Error as error:
        raise InputError(f"it is no table ({error})") from error


def check_card(content: bytes) -> None:
    text(content)


def parsed(content: bytes) -> Any:
    """JSON of moderate depth, without NaN; InputError says what it is instead."""
    try:
        values = json.loads(text(content), parse_constant=_no_constant)
        json.dumps(values, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"it is no JSON ({error})") from error
    if _depth(values) > DEEPEST:
        raise InputError(f"its lists go deeper than {DEEPEST}")
    return values


def text(content: bytes) -> str:
    """UTF-8 without control characters."""
    try:
        content_text = content.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"it is no UTF-8 text ({error.reason} at byte {error.start:,})") from error
    if odd := _CONTROL.search(content_text):
        raise InputError(f"it is no plain text: its character {odd.start() + 1:,} is U+{ord(odd.group()):04X}")
    return content_text


def _check(content: bytes, kind: type[Record]) -> Record:
    values = parsed(content)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise InputError(f"its entry “format” is not {FORMAT}")
    try:
        return TypeAdapter(kind).validate_json(json.dumps(values), strict=True)  # "3" is no number
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part)[:40] for part in first["loc"])
        raise InputError(f"{place}: {first['msg']}") from error


def _depth(value: object) -> int:
    """How deep lists and objects are within one another, as far as it matters."""
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        inner = [
            outer.values() if isinstance(outer, dict) else outer for outer in level if isinstance(outer, dict | list)
        ]
        level, depth = [value for values in inner for value in values], depth + 1
    return depth


def _no_constant(name: str) -> None:
    raise InputError(f"it holds {name}, which is no number of JSON")
