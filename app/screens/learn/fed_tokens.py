"""Trained on the truth, fed its own mistakes: how often a step looks where it should, by what the decoder is fed.

Step t is on the line when its heaviest weight is on source number N + 1 - t, counted from 1. The decoder is fed its own
numbers, the right ones but for one, or random ones.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from regard.app.models.models import pretrained
from regard.app.models.result_cache import remembered
from regard.app.theme import percent
from regard.app.ui.tables import table
from regard.model.synthetic.tasks import pair, sample
from regard.model.trace import Trace
from regard.model.translate import force, translate

SEQUENCES = 60  # held-out ones, of the longest length in training
SLIGHT = 0.1  # loss of steps on the line below which a change hardly matters
WRONG = 5  # the number that is wrong, from 1
OWN, ONE_WRONG, RANDOM = "its own numbers", f"the right numbers, but number {WRONG} is wrong", "random numbers"


def fed_its_mistakes(name: str, length: int, symbols: int) -> None:
    """Show how far the model keeps its place when it is fed what it never saw in training."""
    shares = on_the_line(name, length, symbols)
    st.markdown(
        "**Trained on the truth, fed its own mistakes.** When it writes alone, a wrong number is fed back in, which "
        f"never happened in training (*exposure bias*). How many steps of {SEQUENCES} sequences of {length} numbers "
        "still look at the number whose turn it is?"
    )
    table([{"The decoder is fed": fed, "Steps on the line": percent(share)} for fed, share in shares.items()], "Steps")
    st.markdown(conclusion(shares))


def conclusion(shares: Mapping[str, float]) -> str:
    """Return what the shares say, whichever way they fall."""
    lost_by_one, lost_by_many = shares[OWN] - shares[ONE_WRONG], shares[OWN] - shares[RANDOM]
    one = "hardly disturbs it" if lost_by_one < SLIGHT else "makes it lose its place"
    many = "many hardly do" if lost_by_many < SLIGHT else "many make it lose its place"
    return f"One wrong number {one}; {many}."


@remembered(2)
def on_the_line(name: str, length: int, symbols: int) -> Mapping[str, float]:
    """Return the share of steps on the line, by what the decoder is fed."""
    model = pretrained(name)
    pairs = [pair("reverse", numbers) for numbers in sample(length, symbols, SEQUENCES)]
    random = np.random.default_rng(0)
    noise = [" ".join(map(str, random.integers(symbols, size=length))) for _ in pairs]
    slips = [_with_a_slip(each.target, symbols) for each in pairs]
    sources = [each.source for each in pairs]
    return {
        OWN: _share(translate(model, sources), length),
        ONE_WRONG: _share(force(model, list(zip(sources, slips, strict=True))), length),
        RANDOM: _share(force(model, list(zip(sources, noise, strict=True))), length),
    }


def _with_a_slip(target: str, symbols: int) -> str:
    numbers = target.split()
    numbers[WRONG - 1] = str((int(numbers[WRONG - 1]) + 1) % symbols)
    return " ".join(numbers)


def _share(traces: Sequence[Trace], length: int) -> float:
    """Return the share of steps whose heaviest weight is on the number whose turn it is, `</s>` left out."""
    hits = [trace.weights[:length].argmax(1) == length - 1 - np.arange(len(trace.weights[:length])) for trace in traces]
    return float(np.concatenate(hits).mean())
