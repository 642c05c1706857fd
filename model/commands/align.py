"""`align`: print the source word that each target word attends to most, for given sentence pairs."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from regard.model.alignment import ROWS
from regard.model.checkpoint import AnyModel, Pretrained, device_of
from regard.model.commands.command_line import add_device, add_model, put, tell
from regard.model.data.corpus import read_lines
from regard.model.input_error import InputError
from regard.model.readable import LINE_TOKENS, remark
from regard.model.transformer.checkpoint import load_any
from regard.model.word_alignment.detokenize import links
from regard.model.word_alignment.from_attention import Sides, fits, forced, joined, word_weights
from regard.model.word_alignment.posterior import READINGS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_device(parser)
    about = "where links come from: weights, their posterior once the word is known, or that with jumps (%(default)s)"
    parser.add_argument("--reading", choices=READINGS, default="weights", help=about)
    about = "the word a row of weights belongs to: produced or fed in (%(default)s)"
    parser.add_argument("--rows", choices=ROWS, default="output", help=about)
    about = "sentences, one per line, words separated by blanks"
    parser.add_argument("--source", type=Path, required=True, metavar="FILE", help=about)
    parser.add_argument("--target", type=Path, required=True, metavar="FILE", help="their translations, line by line")
    parser.epilog = (
        "Prints one line of links i-j for each pair: source word i, target word j, from 0; each target word is linked "
        "to the source word of greatest weight or posterior, or to none if that is the end of the sentence. The model "
        "reads the words joined into ordinary text (L' aîné becomes L'aîné); links refer to the words as given."
    )


def run(arguments: argparse.Namespace) -> None:
    if arguments.rows == "input" and arguments.reading != "weights":
        raise InputError(
            f"--rows input needs --reading weights; --reading {arguments.reading} belongs to the word produced"
        )
    sources, targets = read_lines(arguments.source), read_lines(arguments.target)
    if len(sources) != len(targets):
        short, most = sorted([(len(sources), arguments.source), (len(targets), arguments.target)])
        raise InputError(f"{short[1]} ends at line {short[0]}, {most[1]} has {most[0]} lines; they must correspond")
    model = load_any(arguments.model, device_of(arguments.device))
    if arguments.reading != "weights" and not isinstance(model, Pretrained):
        raise InputError(f"--reading {arguments.reading} is defined for one attention; {model.name} is a Transformer")
    pairs = [joined(model, lines) for lines in zip(sources, targets, strict=True)]
    with tqdm(total=len(pairs), unit="pair", delay=1, mininterval=0.5) as bar:
        for line in _lines(model, pairs, arguments):
            put(line)
            bar.update()


def _lines(model: AnyModel, pairs: Sequence[Sides], arguments: argparse.Namespace) -> Iterator[str]:
    files, fitting = (arguments.source, arguments.target), [fits(model, pair) for pair in pairs]
    traces = forced(model, [pair for pair, fitted in zip(pairs, fitting, strict=True) if fitted])
    for number, (pair, fitted) in enumerate(zip(pairs, fitting, strict=True), 1):
        if not fitted:
            tell(f"{files[0]} and {files[1]}, line {number}: more than {LINE_TOKENS} tokens; no links")
            yield ""
            continue
        for side, file in enumerate(files):
            if unknown := remark(model.tokenizer, pair[side].text, side):
                tell(f"{file}, line {number}: {unknown}")
        found = links(word_weights(model, next(traces), pair, arguments.reading, arguments.rows))
        yield " ".join(f"{source}-{target}" for source, target in found)
