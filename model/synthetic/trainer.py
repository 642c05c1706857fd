"""Training on a synthetic task: one generator that the app, the command line and the tests share.

Every batch is sampled anew by the run's own generator, so no other random number affects the run. The learning rate is
constant; the loss is cross-entropy per target token. Held-out sequences are never sampled.

Each step is fed the true token, as always in Williams and Zipser (1989), or the one the decoder would have written:
scheduled sampling tosses a coin for every token (Bengio et al. 2015, section 2.4). No gradient flows through the choice
of a token.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from time import perf_counter

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from safetensors.torch import save as packed
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from regard.model.analysis.axes_measurement import measure_folder
from regard.model.autoregression import decoder_steps, likeliest
from regard.model.cards.record_files import HISTORY, TRAINING, write_history, write_record
from regard.model.checkpoint import save
from regard.model.data.corpus import Batch, Pair
from regard.model.files import write_file
from regard.model.input_error import InputError
from regard.model.network import AnyNetwork
from regard.model.synthetic.exact_match import exact, record, sequences, tested, write_scores
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import batch, draw, pair, tokenizer
from regard.model.tokenizer import PAD
from regard.model.training.snapshots import SNAPSHOTS, Snapshot, Snapshots, look
from regard.model.training.trainer import check_same, learned, relearn
from regard.model.transformer.checkpoint import build

NOTED, MEASURED = 10, 50  # updates from one note to the next, and from one measurement to the next
GOAL, AGAIN = 0.99, 2  # a run ends when this share is exact at this many measurements in a row
LOOKED = 0.2  # a snapshot is taken when this share of updates has been added since the previous one
WATCHED = 5  # held-out sequences recorded in every snapshot
CLIP = 1.0


@dataclass(frozen=True)
class Note:
    """The state of a run after an update. Numbers not measured then are NaN."""

    update: int
    loss: float  # nats per target token, over all updates since the previous note
    exact: float = math.nan  # share of a fixed held-out sample written exactly by greedy decoding
    validation: float = math.nan  # loss on that sample with the true tokens fed in, nats per target token
    seconds: float = 0.0  # of training so far, measurements included
    tokens: int = 0  # source and target tokens trained on so far, without padding

    @property
    def measured(self) -> bool:
        return not math.isnan(self.exact)


@lru_cache(maxsize=64)
def watched(setup: Setup) -> tuple[Pair, ...]:
    """Return the held-out sequences, with their answers, that every snapshot records: evenly spread by length, the
    longest first and preferably without repeated numbers."""
    ordered = sorted(tested(setup), key=lambda sequence: (len(sequence), len(set(sequence))), reverse=True)
    places = np.linspace(0, len(ordered) - 1, min(WATCHED, len(ordered)))
    return tuple(pair(setup.task, ordered[round(place)]) for place in places)


def logits(
    network: AnyNetwork, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"], forced: Bool[Tensor, "B T"]
) -> Float[Tensor, "N V"]:
    """Return the logits of the N target tokens that are not padding; where `forced` is true, the true token is fed
    next. If it is true everywhere, these are the logits of `Seq2Seq.forward`, computed step by step."""

    def choose(step: int, logits: Float[Tensor, "B V"]) -> Int[Tensor, " B"]:
        return torch.where(forced[:, step], target[:, step], likeliest(step, logits.detach()))

    steps = islice(decoder_steps(network, network.encode(source), choose), target.shape[1])
    return torch.stack([decoded.logits for decoded in steps], dim=1)[target != PAD]


def draw_batch(setup: Setup, random: np.random.Generator) -> Batch:
    """Sample sequences that are not held out, of any of the setup's lengths, and their answers."""
    lengths = random.integers(setup.shortest, setup.longest, setup.batch, endpoint=True).tolist()
    return batch(setup.task, [draw(random, length, setup.symbols) for length in lengths])


@dataclass(frozen=True)
class SyntheticProgress:
    """The state of a run after an update."""

    update: int
    loss: float  # of this batch, nats per target token
    note: Note | None  # after this update; every few updates and at the end
    look: Snapshot | None  # a snapshot after this update; frequent early, and at the end
    finished: str  # the reason the run ended, or ""


class Practice:
    """A run that can be stopped after any update, saved, and resumed bit for bit."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.tokenizer = setup, tokenizer(setup.symbols)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(setup.seed)
            self.network = build(setup.config())
        self.adam = torch.optim.Adam(self.network.parameters(), lr=setup.rate, fused=True)
        self.random = np.random.default_rng(setup.seed)
        self.tested = batch(setup.task, tested(setup))
        self.snapshots = Snapshots(watched(setup), ())
        self.notes: list[Note] = []
        self.update = self.tokens = self.unnoted = 0
        self.seconds = self.loss = 0.0  # the loss is summed over the `unnoted` target tokens since the last note

    def run(self) -> Iterator[SyntheticProgress]:
        """Train to the end, yielding one `SyntheticProgress` per update."""
        finished = self.finished  # nonempty if the run was saved at its end
        while not finished:
            began, before, note, seen = perf_counter(), self.seconds, None, None
            loss = self.learn(*self._draw())
            measured = self.update % MEASURED == 0 or self.update in (1, self.setup.updates)
            if measured or self.update % NOTED == 0:
                seconds = before + perf_counter() - began
                note = Note(self.update, self.loss / self.unnoted, seconds=seconds, tokens=self.tokens)
                note = self._measured(note) if measured else note
                self.notes.append(note)
                self.loss, self.unnoted = 0.0, 0
            finished = self.finished
            last = self.snapshots.moments[-1].update if self.snapshots.moments else 0
            if finished or self.update >= last + max(1, int(LOOKED * last)):
                seen = self.look()
                self.snapshots = self.snapshots.with_moment(seen)
            self.seconds = before + perf_counter() - began
            yield SyntheticProgress(self.update, loss, note, seen, finished)

    @property
    def finished(self) -> str:
        """The reason the run is finished, or ""."""
        last = [note.exact for note in self.notes if note.measured][-AGAIN:]
        if len(last) == AGAIN and min(last) >= GOAL:
            return f"{100 * GOAL:g}% exact reached"
        return "all updates done" if self.update >= self.setup.updates else ""

    def look(self) -> Snapshot:
        """Return a snapshot of the watched sequences now, without recording it."""
        return look(self.network, self.tokenizer, self.snapshots.pairs, self.update)

    def save(self, path: Path) -> None:
        """Write everything needed to resume, atomically."""
        values = {
            "setup": asdict(self.setup),
            "random": self.random.bit_generator.state,
            "notes": [asdict(note) for note in self.notes],
            **{name: getattr(self, name) for name in _COUNTERS},
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(
            path, packed(learned(self.network, self.adam) | self.snapshots.stored(), {"practice": json.dumps(values)})
        )

    def restore(self, path: Path) -> None:
        """Resume a saved run. Raises InputError naming the file if it cannot; only `updates` may differ."""
        try:
            with safe_open(path, "pt") as file:
                values = json.loads(file.metadata()["practice"])
            check_same(asdict(Setup(**values["setup"])), asdict(self.setup), "set up")
            tensors = load_file(path)
            relearn(self.network, self.adam, tensors)
            self.random.bit_generator.state = values["random"]
            self.notes = [Note(**note) for note in values["notes"]]
            self.snapshots = self.snapshots.restored(tensors)
            for name in _COUNTERS:
                setattr(self, name, values[name])
        except (SafetensorError, OSError, LookupError, TypeError, AttributeError, RuntimeError, ValueError) as error:
            raise InputError(f"{path}: {error}") from error

    def finish(self, folder: Path, out: Path | None = None, sweep: bool = False) -> None:
        """Write the current network as a complete model folder, with its training records. `out` is the folder's final
        name, by default the setup's; a sweep measures every length. Raises InputError before the first update."""
        if not self.update:
            raise InputError("the network has learned nothing yet; let it make an update first")
        out = out or Path(self.setup.name)
        save(self.network, self.tokenizer, folder)
        self.snapshots.save(folder / SNAPSHOTS)
        rows = [
            {
                "update": note.update,
                "tokens": note.tokens,
                "seconds": round(note.seconds, 2),
                "loss": round(note.loss, 5),
                "validation_loss": round(note.validation, 5),
                "exact": note.exact,
            }
            for note in self._notes_until_now()
            if note.measured
        ]
        write_history(rows, folder / HISTORY)
        write_record(record(self.setup, self.update, self.finished, out, sweep), folder / TRAINING)
        measure_folder(folder, sequences(self.setup))
        write_scores(folder, self.setup, out.name, sweep)

    def learn(self, drawn: Batch, forced: Bool[Tensor, "B T"]) -> float:
        """Make one update; `forced` marks the target tokens after which the true one is fed. Returns the batch's loss
        before it, in nats per target token."""
        self.update += 1
        self.network.train()
        self.adam.zero_grad()
        logits_drawn = (
            self.network(drawn.source, drawn.target)
            if self.setup.teacher_forcing == 1
            else logits(self.network, drawn.source, drawn.target, forced)
        )
        wanted = drawn.target[drawn.target != PAD]
        loss = cross_entropy(logits_drawn, wanted)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.adam.step()
        self.tokens += int((drawn.source != PAD).sum()) + len(wanted)
        self.loss, self.unnoted = self.loss + loss.item() * len(wanted), self.unnoted + len(wanted)
        return loss.item()

    def _draw(self) -> tuple[Batch, Bool[Tensor, "B T"]]:
        """Sample a batch, and mark the target tokens after which the true one is fed."""
        drawn = draw_batch(self.setup, self.random)
        return drawn, torch.from_numpy(self.random.random(drawn.target.shape) < self.setup.teacher_forcing)

    @torch.inference_mode()
    def loss_on(self, batch: Batch) -> float:
        """Return the mean loss of a batch with the true tokens fed, in nats per target token."""
        self.network.eval()
        return cross_entropy(self.network(batch.source, batch.target), batch.target[batch.target != PAD]).item()

    def _notes_until_now(self) -> list[Note]:
        """Return the notes with a measurement of the network as it is, which is no part of the run."""
        if self.notes[-1].measured and self.notes[-1].update == self.update:
            return self.notes
        loss = self.loss / self.unnoted if self.unnoted else self.notes[-1].loss
        return [*self.notes, self._measured(Note(self.update, loss, seconds=self.seconds, tokens=self.tokens))]

    def _measured(self, note: Note) -> Note:
        validation = self.loss_on(self.tested)
        return replace(note, exact=exact(self.network, self.tested).double().mean().item(), validation=validation)


_COUNTERS = ("update", "tokens", "unnoted", "seconds", "loss")
