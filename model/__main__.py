"""`python -m model train | translate | align | evaluate | heads | practise | export | card`"""

import argparse
import importlib
import os
import sys
from typing import NoReturn

from model.input_error import InputError, in_one_line

COMMANDS = {
    "train": "train a model from parallel text",
    "translate": "translate sentences, or show every number of their translation",
    "align": "link the words of given sentence pairs by attention",
    "evaluate": "measure a model and write its scores.json and model card",
    "heads": "switch each head of a Transformer off and tell what its translation loses",
    "practise": "train a model to reverse, copy, sort or shift numbers, in half a minute",
    "export": "write a page that translates and steps by itself, in one file or as a static site",
    "card": "write model cards and the README's table of models from scores.json",
}


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (--help tells more)\n")


def main() -> int:
    parser = Parser(prog="python -m model", description="Train, use and measure translation models with attention.")
    chosen = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    if sys.argv[1:2] != ["train"]:
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # a decoder step is too small for threads to share
    try:
        for name, purpose in COMMANDS.items():
            command = chosen.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
            if name in sys.argv[1:2]:  # the others would load PyTorch for nothing
                importlib.import_module(f"model.commands.{name}").add_arguments(command)
        arguments = parser.parse_args()
        importlib.import_module(f"model.commands.{arguments.command}").run(arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains when it ends
        return 141
    except (InputError, OSError) as error:
        print(f"{parser.prog} {sys.argv[1]}: {in_one_line(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
