"""Schema of `scores.json`, for the entries that screens and pages read: uploaded records are validated against it.

Missing entries have the defaults given here; unknown entries are let through and never read.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=10**15)]
Share = Annotated[float, Field(ge=0, le=1)]
Tau = Annotated[float, Field(ge=-1, le=1)]
Name = Annotated[str, Field(max_length=200)]
Place = Annotated[int, Field(ge=0, le=1000)]  # of a layer, and of a head in it
Row = Annotated[list[Share], Field(min_length=1, max_length=64)]


class Record(BaseModel):
    """Entries of one part of a record, by name."""

    model_config = ConfigDict(frozen=True)


class BucketRecord(Record):
    words: tuple[Count, Count]
    pairs: Count
    bleu: Finite
    interval: tuple[Finite, Finite] = (0.0, 0.0)


class Search(Record):
    by_length: list[BucketRecord] = []


class TestRecord(Record):
    searches: dict[Name, Search] = {}


class Rates(Record):
    aer: Share
    precision: Share
    recall: Share
    mass_on_sure: Share = 0.0
    mass_on_possible: Share = 0.0


NO_RATES = Rates(aer=0.0, precision=0.0, recall=0.0)


class Story(Record):
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


class HeadRates(Rates):
    rows: Literal["output", "input"]
    layer: Place
    head: Place


class EveryHead(Record):
    """The AER of each head of each layer, of the mean of each layer's heads, and of the mean of all."""

    heads: Annotated[list[Row], Field(min_length=1, max_length=64)]
    layers: Row
    mean: Share

    @model_validator(mode="after")
    def check_sizes(self) -> "EveryHead":
        if len({len(row) for row in self.heads}) != 1 or len(self.heads) != len(self.layers):
            raise ValueError("every layer has as many heads, and a mean of them")
        return self


NO_HEAD = HeadRates(rows="output", layer=0, head=0, aer=0.0, precision=0.0, recall=0.0)
NO_HEADS = EveryHead(heads=[[0.0]], layers=[0.0], mean=0.0)


class HeadsRecord(Record):
    output: EveryHead
    input: EveryHead
    best: HeadRates
    elsewhere: HeadRates = NO_HEAD
    chosen_on_the_others: dict[Name, HeadRates] = {}


class Alignments(Record):
    overall: Story = Story()
    stories: dict[Name, Story] = {}
    heads: HeadsRecord = HeadsRecord(output=NO_HEADS, input=NO_HEADS, best=NO_HEAD)


class OneHeadOff(Record):
    attention: Name
    layer: Place
    head: Place
    bleu: Finite


class WithoutHead(Record):
    pairs: Count
    bleu: Finite
    heads: list[OneHeadOff] = []


class KeptRecord(Record):
    words: Count
    kept: Share


class AgreementRecord(Record):
    mean: Tau | None
    steps: Count


class Attention(Record):
    sentences: Count
    steps: Count
    counterfactuals: dict[Name, dict[Name, KeptRecord]] = {}
    tau: dict[Name, AgreementRecord] = {}


class Counted(Record):
    length: Count
    share: Share
    interval: tuple[Share, Share]


class Task(Record):
    lengths: tuple[Count, Count]
    by_length: list[Counted] = []


class BleuRecord(Record):
    score: Finite = 0.0


class GradeRecord(Record):
    bleu: BleuRecord = BleuRecord()


class PageRecord(Record):
    pairs: Count = 0
    shipped: GradeRecord = GradeRecord()
    rounded: GradeRecord = GradeRecord()


class ModelRecord(Record):
    fingerprint: Name = ""


class Scores(Record):
    """The entries of `scores.json` that screens and pages read."""

    model: ModelRecord = ModelRecord()
    tests: dict[Name, TestRecord] = {}
    alignments: Alignments = Alignments()
    without_head: WithoutHead = WithoutHead(pairs=0, bleu=0.0)
    attention: Attention = Attention(sentences=0, steps=0)
    task: Task = Task(lengths=(0, 0))
    page: PageRecord = PageRecord()
