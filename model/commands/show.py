"""`show`: write a page of attention that another program wrote, which steps offline."""

import argparse
from pathlib import Path

from regard.model.commands.command_line import put
from regard.model.files import check_writable, destination, write_file
from regard.model.input_error import InputError
from regard.model.soft_alignments.formats import read_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    about = "attention or links in a format that Import attention reads"
    parser.add_argument("file", type=Path, metavar="FILE", help=about)
    parser.add_argument("--html", type=Path, required=True, metavar="PAGE", help="the page to write")
    about = "sentences that the format lacks, one per line: the source, or source ||| target"
    parser.add_argument("--sentences", type=Path, metavar="FILE", help=about)
    parser.add_argument("--number", type=int, default=1, metavar="N", help="sentence of the page (default: the first)")


def run(arguments: argparse.Namespace) -> None:
    page = destination(arguments.html, "a page", ".html")
    check_writable(page.parent)
    found = read_path(arguments.file, arguments.sentences)
    if not 1 <= arguments.number <= len(found):
        raise InputError(f"--number is {arguments.number}; {arguments.file} has sentences 1 to {len(found)}")
    write_file(page, found[arguments.number - 1].to_html())
    put(f"{page}, sentence {arguments.number} of {len(found):,}")
