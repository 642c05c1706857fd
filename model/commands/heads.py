"""`heads`: show what switching off each head of a Transformer does to one translation."""

import argparse
import csv
import io

from regard.model.analysis.head_ablation import ablated
from regard.model.checkpoint import named_folder
from regard.model.commands.command_line import put, tell
from regard.model.input_error import InputError
from regard.model.readable import MOST, is_cut, remark, shorten
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import write
from regard.model.words import normalise

COLUMNS = ("attention", "layer", "head", "lost", "changed", "translation")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sentence", metavar="SENTENCE", help="sentence to translate, with all heads and without each")
    about = "folder of a Transformer, or name of a shipped one"
    parser.add_argument("--model", type=named_folder, required=True, metavar="DIR", help=about)
    parser.epilog = (
        "Prints tab-separated lines: the translation with all heads, then one for each head, the greatest loss first. "
        "lost: nats that the log-probability of that translation loses without the head; changed: the number of its "
        "words that are then not written. Layers and heads count from 0, as in translate's --intervention."
    )


def run(arguments: argparse.Namespace) -> None:
    if not normalise(arguments.sentence):
        raise InputError("the sentence is empty; give one to translate")
    model = load_any(arguments.model)
    sentence = shorten(model.tokenizer, arguments.sentence, side=0)
    if is_cut(arguments.sentence, sentence):
        tell(f"the sentence has more than {MOST}; its first {len(sentence):,} characters are translated")
    if unknown := remark(model.tokenizer, sentence, side=0):
        tell(unknown)
    found = sorted(ablated(model, sentence), key=lambda one: -one.lost)
    put(_line(COLUMNS))
    put(_line(("all", "", "", "0", "0", *write(model, [sentence]))))
    for one in found:
        put(_line((*map(str, one.head), f"{one.lost:z.4f}", str(one.changed), one.text)))


def _line(cells: tuple[str, ...]) -> str:
    row = io.StringIO()
    csv.writer(row, "excel-tab", lineterminator="").writerow(cells)
    return row.getvalue()
