"""`report`: translate a text, measure each sentence, and write tables and a page that opens any sentence offline."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from regard.model.commands.command_line import add_model, put, tell
from regard.model.data.corpus import read_lines
from regard.model.doubt.chance import load
from regard.model.files import check_writable, write_file
from regard.model.input_error import InputError
from regard.model.text_report.text_input import TextLine
from regard.model.text_report.text_measures import FEWEST, WRITERS, measured, text_scores
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import BATCH
from regard.model.words import normalise

WRITTEN = {
    "html": "a page with all sentences, each of which opens in the stepper",
    "tsv": "a table with the measures of each sentence",
    "jsonl": "all measures and links, a JSON object for each sentence",
    "pharaoh": "the word links i-j of each sentence",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("--source", type=Path, required=True, metavar="FILE", help="sentences, one per line")
    parser.add_argument("--reference", type=Path, metavar="FILE", help="their translations by people, line by line")
    for ending in ("html", *WRITERS):
        parser.add_argument(f"--{ending}", type=Path, metavar="FILE", help=WRITTEN[ending])
    about = f"sentences decoded together (default: {BATCH})"
    parser.add_argument("--batch", type=int, default=BATCH, metavar="N", help=about)
    parser.epilog = (
        f"With a reference, prints BLEU and chrF with their signatures, and from {FEWEST} sentences on with their 95% "
        "intervals. The page contains the model (20 MB for the default one), which translates any sentence that is "
        "opened. Sentences are corrected and cut as by `translate`; standard error has the number of those changed."
    )


def run(arguments: argparse.Namespace) -> None:
    if arguments.batch < 1:
        raise InputError(f"--batch is {arguments.batch}; it must be at least 1")
    if not any(getattr(arguments, name) for name in ("reference", "html", *WRITERS)):
        others = ", ".join(f"--{ending}" for ending in list(WRITERS)[:-1])
        raise InputError(f"nothing to write; give --reference, --html, {others} or --{list(WRITERS)[-1]}")
    outputs = [path for name in ("html", *WRITERS) if (path := getattr(arguments, name))]
    _check_outputs(outputs, [path for path in (arguments.source, arguments.reference) if path])
    lines = _lines(arguments.source, arguments.reference)
    model = load_any(arguments.model)
    doubt = load(model.folder, model.fingerprint)
    rows = list(
        tqdm(measured(model, lines, doubt, arguments.batch), total=len(lines), unit="sentence", mininterval=0.5)
    )
    changed = sum(
        row.source != normalise(line.source, model.tokenizer.languages[0])
        for row, line in zip(rows, lines, strict=True)
    )
    if changed:
        tell(f"sentences that are not read as typed, but corrected or cut: {changed:,}")
    scores = text_scores(rows)
    for score in scores:
        put(score.text)
    for ending, write in WRITERS.items():
        if path := getattr(arguments, ending):
            write_file(path, "".join(write(rows)))
    if arguments.html:
        from regard.app.export.text_report import text_report  # writing a page needs `app`

        name = f"{arguments.source.name}, translated by {model.name}"
        write_file(arguments.html, text_report(name, model, rows, scores))


def _check_outputs(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Check before the text is translated that its results can be written. Raises InputError if not."""
    for place, path in enumerate(outputs):
        check_writable(path.parent)
        if path.is_dir():
            raise InputError(f"{path} is a folder")
        if path.resolve() in [other.resolve() for other in (*outputs[:place], *inputs)]:
            raise InputError(f"{path} is named twice; each file needs a name of its own")


def _lines(source: Path, reference: Path | None) -> list[TextLine]:
    """Read both files. Raises InputError if there is no sentence, or if their numbers of lines differ."""
    sources = read_lines(source)
    if not any(map(normalise, sources)):
        raise InputError(f"{source} is empty; give a file with one sentence per line")
    references = read_lines(reference) if reference else [""] * len(sources)
    if len(sources) != len(references):
        raise InputError(
            f"{source} has {len(sources):,} lines and {reference} {len(references):,}; they must correspond"
        )
    pairs = enumerate(zip(sources, references, strict=True), 1)
    return [TextLine(number, number, text.strip(), reference.strip()) for number, (text, reference) in pairs]
