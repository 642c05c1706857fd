"""`export`: write a page or a site with models, to type, translate and step in a browser without a Regard server."""

import argparse
from pathlib import Path

from regard.model.checkpoint import DEFAULT, named_folder, shipped
from regard.model.files import write_file
from regard.model.transformer.checkpoint import load_any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    about = f"model folder or name of a shipped model; several give a choice (default: the shipped {DEFAULT})"
    parser.add_argument("--model", type=named_folder, action="append", metavar="DIR", help=about)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--html", type=Path, metavar="FILE", help="one file that opens from disk and loads nothing")
    about = "a site for a web server, with the weights in separate files"
    where.add_argument("--site", type=Path, metavar="FOLDER", help=about)
    about = "round the weights to 8 bits, which halves the size; the page says so"
    parser.add_argument("--int8", action="store_true", help=about)
    parser.epilog = (
        "The page computes in plain JavaScript what PyTorch computes here; nothing that is typed leaves the machine. "
        "It can be embedded as <iframe src=FILE sandbox=allow-scripts>."
    )


def run(arguments: argparse.Namespace) -> None:
    from regard.app.export.translator.document import page, site  # needed only for writing a page

    models = [load_any(model) for model in arguments.model or [shipped()]]
    if arguments.html is not None:
        write_file(arguments.html, page(models, rounded=arguments.int8))
        written = [arguments.html]
    else:
        written = site(models, arguments.site, rounded=arguments.int8)
    for file in written:
        print(f"{file}, {file.stat().st_size / 1e6:.1f} MB")
