"""Milliseconds of a beam search against its width, with the whole tree and without."""

from functools import partial
from statistics import median

from benchmarks.report import Table, spread
from benchmarks.translation import REPEATS, SENTENCES, times
from regard.model.checkpoint import Pretrained
from regard.model.decoding.beam import encode, grow, search
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.translate import translate

WORDS = 20  # in the sentence
WIDTHS = (1, 2, 5, 10)


def measure(model: Pretrained) -> Table:
    """Return a row for each width; the searches and greedy decoding take turns."""
    sentence = SENTENCES[WORDS]
    source = encode(model, sentence)
    choices = [BeamSettings(width) for width in WIDTHS]
    growing = [partial(grow, model, sentence, chosen) for chosen in choices]
    searching = [partial(search, model, source, chosen) for chosen in choices]
    greedy, *taken = times([partial(translate, model, [sentence]), *growing, *searching])
    rows = []
    for width, task, recorded, plain in zip(WIDTHS, growing, taken[: len(WIDTHS)], taken[len(WIDTHS) :], strict=True):
        cost = median(one / other for one, other in zip(recorded, plain, strict=True)) - 1
        tree = task()
        counts = f"{len(tree.nodes):,}", f"{len(tree.expanded):,}"
        rows.append((str(width), *counts, spread(recorded), spread(plain), f"{100 * cost:.0f}%"))
    return Table(
        "Beam search",
        f"Milliseconds for a sentence of {WORDS} words on one thread, {REPEATS} times each. *Recorded* keeps the tree: "
        "every candidate as a node, and for every prefix that was expanded a row with its attention and the likeliest "
        "next tokens, the path of greedy decoding included; *plain* keeps the translations alone. A trace by greedy "
        f"decoding takes {spread(greedy)} beside them.",
        ("width", "nodes", "rows", "recorded", "plain", "recording costs"),
        tuple(rows),
    )
