"""`regard` or `python -m regard`: open the app, or run a command such as `regard translate`."""

import importlib
import os
import sys
import tempfile

from regard import __version__
from regard.model.input_error import InputError, OneLineParser, in_one_line

COMMANDS = {
    "serve": "serve the app from several processes behind a proxy",
    "train": "train a model from parallel text",
    "translate": "translate sentences, or show every number of their translation",
    "report": "translate a text, measure each sentence, and write a page that opens any of them",
    "align": "link the words of given sentence pairs by attention",
    "show": "write a page of attention that another program wrote",
    "evaluate": "measure a model, print the results and write its scores.json and model card",
    "heads": "switch each head of a Transformer off and show what its translation loses",
    "practise": "train a model to reverse, copy, sort or shift numbers",
    "axes": "measure the principal axes by which a model's vectors are recognised on screen",
    "memory": "keep the states a model met in training, to show where it learned what it writes",
    "export": "write a page that translates and steps by itself, in one file or as a static site",
    "card": "write model cards from scores.json",
}

EXTRAS = {"app": ("plotly", "starlette", "streamlit", "uvicorn"), "train": ("nltk", "sacrebleu", "scipy")}
MOST_THREADS = 1024
THREADS = "threads to compute with (default: OMP_NUM_THREADS; else 1, and for train as many as PyTorch takes)"


def main() -> int:
    """Run a command and return its exit status. Options without a command, or nothing at all, open the app."""
    command_name = sys.argv[1] if len(sys.argv) > 1 else ""
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))  # None if the caller closed it
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    try:
        return _dispatch(command_name)
    except KeyboardInterrupt:
        return 130
    except ModuleNotFoundError as error:
        extra = next((extra for extra, libraries in EXTRAS.items() if error.name in libraries), "")
        if not extra:
            raise
        command = f"regard {command_name}" if command_name in COMMANDS else "regard"
        get = f"pip install '.[{extra}]' in a checkout of Regard, or 'WHEEL[{extra}]' with its wheel"
        print(f"{command}: {error.name} is not installed; {get} brings it", file=sys.stderr)
        return 1


def _dispatch(command_name: str) -> int:
    if command_name == "serve":
        importlib.import_module("regard.app.server.replicas").main(sys.argv[2:])
    elif not command_name or (command_name.startswith("--") and command_name not in ("--help", "--version")):
        importlib.import_module("regard.app.launch").main()
    else:
        return _run(command_name)
    return 0


def _run(command_name: str) -> int:
    """Run a command of `regard.model.commands`; only its module is imported, because most commands load PyTorch."""
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.gettempdir())  # otherwise PyTorch leaves an empty folder
    if command_name != "train":
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # a decoder step is too small for threads to share
    parser = _parser(command_name)
    try:
        arguments = parser.parse_args()
        threads = arguments.threads
        if threads is not None:
            if not 1 <= threads <= MOST_THREADS:
                raise InputError(f"--threads is {threads}; it must be from 1 to {MOST_THREADS:,}")
            importlib.import_module("torch").set_num_threads(threads)
        importlib.import_module(f"regard.model.commands.{arguments.command}").run(arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter reports an error on exit
        return 141
    except (InputError, OSError) as error:
        print(f"{parser.prog} {command_name}: {in_one_line(error)}", file=sys.stderr)
        return 1
    return 0


def _parser(command_name: str) -> OneLineParser:
    parser = OneLineParser(
        prog="regard",
        description="Open the app in a browser, or run a command.",
        epilog="Without a command: regard [--port N] [--address HOST] [--models DIR] serves the app and opens it.",
    )
    parser.add_argument("--version", action="version", version=f"regard {__version__}")
    chosen = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
        command = chosen.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
        if name == command_name:
            # PyTorch's start-up code imports NumPy too, but would swallow Ctrl+C meanwhile.
            importlib.import_module("numpy")
            importlib.import_module(f"regard.model.commands.{name}").add_arguments(command)
            command.add_argument("--threads", type=int, metavar="N", help=THREADS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
