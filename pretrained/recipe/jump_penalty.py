"""Jump penalty λ, chosen by the evidence of validation pairs: the value that makes their words likeliest.

    λ = argmax Σ_pairs log Σ_a Π_r p(a_r | a_{r-1}) e_r(a_r)

    python -m pretrained.recipe.jump_penalty --model pretrained/en-fr-general pretrained/en-fr-concat
    --table fra.txt

The pairs are the validation part of the text, which no model learned from and which excludes the hand-aligned stories;
no gold link is used. p₀ stays at the 0.2 of Och and Ney (2003).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment, Posterior
from regard.model.checkpoint import Pretrained, load
from regard.model.data.corpus import Pair, read_table, split
from regard.model.translate import force
from regard.model.word_alignment.posterior import Jumps, log_emissions, posterior, smooth

PENALTIES = tuple(quarters / 4 for quarters in range(17))
PAIRS = 1000  # pairs, evenly spaced
TRACES = 8  # traced together


def evidence(model: Pretrained, pairs: Sequence[Pair], penalties: Sequence[float] = PENALTIES) -> dict[float, float]:
    """Return the log-evidence of all pairs, in nats, by λ."""
    totals = dict.fromkeys(penalties, 0.0)
    for start in range(0, len(pairs), TRACES):
        for trace in force(model, pairs[start : start + TRACES]):
            emissions = own_emissions(trace.alignment, posterior(model, trace))
            for penalty in penalties:
                totals[penalty] += smooth(emissions, Jumps(penalty)).log_evidence
    return totals


def own_emissions(alignment: Alignment, attention: Posterior) -> Float[ndarray, "R C"]:
    """Return log e between the words of a trace."""
    steps, columns = (np.eye(len(side.words))[list(side.word_of)] for side in (alignment.target, alignment.source))
    return log_emissions(attention, steps, columns)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m pretrained.recipe.jump_penalty", description="Choose λ.")
    parser.add_argument("--model", type=Path, nargs="+", required=True, metavar="DIR", help="model folders")
    parser.add_argument("--table", type=Path, required=True, metavar="FILE", help="source TAB target lines")
    arguments = parser.parse_args()
    every = split(read_table(arguments.table)).validation
    pairs = [every[len(every) * place // PAIRS] for place in range(PAIRS)] if len(every) > PAIRS else every
    for folder in arguments.model:
        totals = evidence(load(folder), pairs)
        for penalty, total in totals.items():
            print(f"{folder.name}\t{penalty:g}\t{total:.1f}")
        print(f"{folder.name}\tlikeliest of {len(pairs):,} pairs\t{max(totals, key=totals.__getitem__):g}")


if __name__ == "__main__":
    main()
