"""Setup of a synthetic training: the task, the network, and how it is taught."""

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass

from model.cells import CELLS
from model.config import Config
from model.input_error import InputError
from model.strict_json import read
from model.synthetic.tasks import TASKS, tokenizer

ATTENTIONS = {  # each a score and a wiring
    "dot": ("dot", "luong"),
    "general": ("general", "luong"),
    "concat": ("concat", "luong"),
    "bahdanau": ("concat", "bahdanau"),
    "none": ("none", "luong"),
}
LIMITS: dict[str, tuple[float, float]] = {
    "longest": (2, 20),
    "shortest": (1, 20),
    "symbols": (2, 36),
    "hidden": (8, 256),
    "teacher_forcing": (0, 1),
    "rate": (1e-5, 0.1),
    "batch": (1, 256),
    "updates": (1, 20000),
    "seed": (0, 2**31 - 1),
}
EXAMPLE = '{"task": "sort", "longest": 10, "attention": "none"}'


@dataclass(frozen=True)
class Setup:
    """Sizes and counts within `LIMITS`; raises InputError naming the value and what is accepted."""

    task: str = "reverse"
    longest: int = 8  # numbers in a sequence, at most...
    shortest: int = 1  # ...and at least
    symbols: int = 10  # different numbers, from 0
    cell: str = "gru"
    hidden: int = 64  # components of the decoder's state and of an annotation
    attention: str = "dot"
    teacher_forcing: float = 1.0  # chance that a step is fed the true token, not the model's own
    rate: float = 4e-3
    batch: int = 64  # sequences in an update
    updates: int = 3000  # at most
    seed: int = 1

    def __post_init__(self) -> None:
        _one_of("task", self.task, TASKS)
        _one_of("cell", self.cell, CELLS)
        _one_of("attention", self.attention, ATTENTIONS)
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(f"{name} is {value}; accepted is a number from {low:g} to {high:.10g}")
        if self.shortest > self.longest:
            raise InputError(f"shortest is {self.shortest}; accepted is at most longest, which is {self.longest}")
        if self.hidden % 2:
            raise InputError(f"hidden is {self.hidden}; accepted is an even number, half for each reading direction")

    @property
    def name(self) -> str:
        """What a model trained so is called where nobody says otherwise: `reverse-gru-dot`."""
        return f"{self.task}-{self.cell}-{self.attention}"

    def config(self) -> Config:
        """The network. Without attention the decoder begins from what the encoder read, or it would know nothing."""
        score, wiring = ATTENTIONS[self.attention]
        return Config(
            vocabulary=len(tokenizer(self.symbols)),
            languages=tokenizer(self.symbols).languages,
            score=score,
            wiring=wiring,
            cell=self.cell,
            embedding=self.hidden // 2,
            encoder_state=self.hidden // 2,
            state=self.hidden,
            initial_state="encoder" if score == "none" else "zero",
            dropout=0.0,
        )

    def to_json(self) -> str:
        """In one line."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Setup":
        """From a stranger; what is left out is as by default.

        Raises InputError naming the place and what is accepted.
        """
        return read(cls, text, f"A setup is JSON such as {EXAMPLE}")


def _one_of(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise InputError(f"{name} is {value[:40]!r}; accepted are {', '.join(known)}")


DEFAULT = Setup()
