"""Setup of a synthetic training: the task, the network and the teaching."""

from dataclasses import asdict, dataclass

from regard.model.arithmetic.quantity import SCORES
from regard.model.cells import CELLS
from regard.model.config import Config
from regard.model.input_error import InputError, check_choice
from regard.model.synthetic.tasks import TASKS, tokenizer
from regard.model.transformer.attention import POSITIONS
from regard.model.transformer.transformer import NETWORK as TRANSFORMER
from regard.model.transformer.transformer import TransformerConfig

NETWORKS = {  # fields that concern one network only; the recurrent one is the default and need not be named
    "recurrent": ("cell", "attention"),
    TRANSFORMER: ("network", "heads", "layers", "positions"),
}

ATTENTIONS = {  # a score and a wiring each
    **{score: (score, "luong") for score, made in SCORES.items() if made.compares != "nothing"},
    "bahdanau": ("concat", "bahdanau"),
    "none": ("none", "luong"),
}
LIMITS: dict[str, tuple[float, float]] = {
    "longest": (2, 20),
    "shortest": (1, 20),
    "symbols": (2, 36),
    "hidden": (8, 256),
    "heads": (1, 8),
    "layers": (1, 4),
    "teacher_forcing": (0, 1),
    "rate": (1e-5, 0.1),
    "batch": (1, 256),
    "updates": (1, 20000),
    "seed": (0, 2**31 - 1),
}
WIDER = 4  # times a Transformer's width: that of its feed-forward network (Vaswani et al. 2017, section 3.3)


@dataclass(frozen=True)
class Setup:
    """A validated setup, each number within `LIMITS`. Raises InputError naming the value and the accepted ones."""

    task: str = "reverse"
    longest: int = 8  # numbers in a sequence, at most...
    shortest: int = 1  # ...and at least
    symbols: int = 10  # different numbers, from 0
    cell: str = "gru"
    hidden: int = 64  # components of the decoder's state and of an annotation; for a Transformer, of every vector
    attention: str = "dot"
    teacher_forcing: float = 1.0  # probability that a step is fed the true token, not the model's own
    rate: float = 4e-3
    batch: int = 64  # sequences per update
    updates: int = 3000  # at most
    seed: int = 1
    network: str = "recurrent"
    heads: int = 4
    layers: int = 2  # of the encoder, and of the decoder
    positions: str = "sinusoids"

    def __post_init__(self) -> None:
        check_choice("task", self.task, TASKS)
        check_choice("cell", self.cell, CELLS)
        check_choice("attention", self.attention, ATTENTIONS)
        check_choice("network", self.network, NETWORKS)
        check_choice("positions", self.positions, POSITIONS)
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(f"{name} is {value}; accepted is a number from {low:g} to {high:.10g}")
        if self.shortest > self.longest:
            raise InputError(f"shortest is {self.shortest}; accepted is at most longest, which is {self.longest}")
        if self.network == TRANSFORMER and self.hidden % (2 * self.heads):
            raise InputError(f"hidden is {self.hidden}; accepted is a multiple of {2 * self.heads}, twice the heads")
        if self.hidden % 2:
            raise InputError(f"hidden is {self.hidden}; accepted is an even number, half for each reading direction")

    @property
    def lengths(self) -> range:
        return range(self.shortest, self.longest + 1)

    @property
    def attends(self) -> bool:
        """True if the decoder attends to the source."""
        return self.network == TRANSFORMER or self.attention != "none"

    @property
    def name(self) -> str:
        """The default name of a model trained with this setup: `reverse-gru-dot`, `reverse-transformer`."""
        if self.network == TRANSFORMER:
            return f"{self.task}-{TRANSFORMER}" + ("-nopos" if self.positions == "none" else "")
        return f"{self.task}-{self.cell}-{self.attention}"

    def options(self) -> dict[str, str | int | float]:
        """Return the options to state by name, without those that concern another network."""
        others = {name for network, names in NETWORKS.items() if network != self.network for name in names}
        return {name: value for name, value in asdict(self).items() if name not in others}

    def config(self) -> Config | TransformerConfig:
        """Return the network's configuration; without attention the decoder begins from the encoder's state."""
        words = tokenizer(self.symbols)
        if self.network == TRANSFORMER:
            return TransformerConfig(
                vocabulary=len(words),
                languages=words.languages,
                embedding=self.hidden,
                heads=self.heads,
                encoder_layers=self.layers,
                decoder_layers=self.layers,
                feed_forward=WIDER * self.hidden,
                positions=self.positions,
                dropout=0.0,
            )
        score, wiring = ATTENTIONS[self.attention]
        return Config(
            vocabulary=len(words),
            languages=words.languages,
            score=score,
            wiring=wiring,
            cell=self.cell,
            embedding=self.hidden // 2,
            encoder_state=self.hidden // 2,
            state=self.hidden,
            initial_state="encoder" if score == "none" else "zero",
            dropout=0.0,
        )
