"""Schema of `scores.json`, for the entries that screens and pages read: uploaded records are validated against it.

Missing entries have the defaults given here; unknown entries are let through and never read.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

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
    """The entries of `scores.json` that screens and pages read."""

    model: ModelRecord = ModelRecord()
    tests: dict[Name, TestRecord] = field(default_factory=dict)
    alignments: Alignments = Alignments()
    without_head: WithoutHead = WithoutHead(0, 0.0)
    attention: Attention = Attention(0, 0)
    task: Task = Task((0, 0))
    page: PageRecord = PageRecord()
