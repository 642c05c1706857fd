"""The updates of a run, with its display, records and saves."""

import math
from pathlib import Path

from tqdm import tqdm

from regard.model.tokenizer import Tokenizer
from regard.model.training.checkpointing import TrainingRun, save_run
from regard.model.training.snapshots import look, moments


def train(run: TrainingRun, tokenizer: Tokenizer, save_every: int, kept: Path) -> None:
    """Make the remaining updates."""
    training, pairs = run.training, run.snapshots.pairs
    looked = moments(training.options.updates)
    began_tokens, began_seconds = training.tokens, training.seconds
    leads = training.crew.leads
    with tqdm(
        total=training.options.updates, initial=training.update, unit="update", smoothing=0.02, disable=not leads
    ) as bar:
        for progress in training.run():
            run.losses.append(progress.loss)
            bar.update()
            speed = (progress.tokens - began_tokens) / max(progress.seconds - began_seconds, 1e-9)
            validation = "" if math.isnan(progress.validation) else f"validation {progress.validation:.3f}, "
            speeds = f"loss {progress.loss:.3f}, {validation}{speed:,.0f} tokens/s"
            bar.set_postfix_str(speeds, refresh=False)
            if progress.validated:
                run.history.append(history_row(run, progress.rate))
                run.losses = []
            if leads and (progress.update in looked or progress.finished):
                run.snapshots = run.snapshots.with_moment(look(progress.network, tokenizer, pairs, progress.update))
            if progress.update % save_every == 0 or progress.finished:
                save_run(run, kept)


def history_row(run: TrainingRun, rate: float) -> dict[str, int | float]:
    """Return the row of `history.csv` after a validation; the loss is the mean since the row before."""
    training, losses = run.training, run.losses or [math.nan]
    return {
        "update": training.update,
        "epoch": training.epoch,
        "tokens": training.tokens,
        "seconds": round(training.seconds, 1),
        "rate": rate,
        "loss": round(math.fsum(losses) / len(losses), 5),
        "validation_loss": round(training.latest, 5),
    }
