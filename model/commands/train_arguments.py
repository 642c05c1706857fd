"""The arguments of `regard train` and their defaults."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from regard.model.cells import CELLS
from regard.model.checkpoint import named_folder
from regard.model.config import INITIAL_STATES, Config
from regard.model.data.corpus import Corpus
from regard.model.decoder import WIRINGS
from regard.model.input_error import InputError
from regard.model.scores import SCORES
from regard.model.tokenizer import BYTES, CONTROL
from regard.model.training.trainer import PRECISIONS, Options, fastest_precision
from regard.model.transformer.attention import POSITIONS
from regard.model.transformer.transformer import NETWORK as TRANSFORMER
from regard.model.transformer.transformer import TransformerConfig

USUAL_LANGUAGES = ("en", "fr")  # unless file names give them
SEEN, PASSES, UPDATES = 10**6, (3, 30), (500, 50_000)  # by default: pairs to see, within these passes and updates
BATCHES, SMALLEST = 20, 500  # batches of a small text, and the fewest tokens of a batch
TENTH = 10  # the divisor for short trainings: validations and warm-up are a tenth

LARGEST_VECTOR = 2**14  # components of a vector
RECURRENT = "recurrent"
NETWORKS: dict[str, type[Config] | type[TransformerConfig]] = {RECURRENT: Config, TRANSFORMER: TransformerConfig}
CHOICES = {"score": SCORES, "wiring": WIRINGS, "cell": CELLS, "initial_state": INITIAL_STATES, "positions": POSITIONS}
SIZES = ("embedding", "encoder_state", "state", "heads", "encoder_layers", "decoder_layers", "feed_forward")
WHOLE = {  # lower and upper bound, by option
    "vocabulary": (len(CONTROL) + len(BYTES) + 1, 2**20),
    "save_every": (1, 10**9),
    **dict.fromkeys(SIZES, (1, LARGEST_VECTOR)),
}
OPTIONS = [field.name for field in fields(Options)]
MEANING = {
    "score": "how a state is compared with an annotation",
    "wiring": "the order of cell and attention in a decoder step",
    "cell": "the recurrent cell of encoder and decoder", "initial_state": "the decoder's state before its first step",
    "positions": "a Transformer's encoding of the tokens' order",
    "dropout": "share of components that are zeroed in training",
    "embedding": "components of a token's embedding",
    "encoder_state": "components of the encoder's state, in each direction",
    "state": "components of the decoder's state", "heads": "heads of each attention",
    "encoder_layers": "layers of the encoder", "decoder_layers": "layers of the decoder",
    "feed_forward": "components inside a feed-forward network",
    "warmup": "updates until the learning rate is at its highest",
    "validate_every": "updates between two validations", "seed": "seed of all random numbers",
    "patience": "validations without improvement after which training ends", "rate": "highest learning rate",
    "decay": "share of the updates, at the end, in which the learning rate falls", "smoothing": "label smoothing",
    "clip": "largest norm of a gradient",
}  # fmt: skip

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")
_ENDING = re.compile(r"(?:.*\.)?([a-z]{2})(?:\.txt)?")  # train.en, en.txt, en
_BOTH = re.compile(r"(?:.*[._])?([a-z]{2})-([a-z]{2})(?:[._].*)?")  # en-de.tsv, news.en-de.tsv


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _add_data(parser)
    parser.add_argument("--out", type=Path, required=True, help="folder of the finished model; it must be new or empty")
    parser.add_argument("--run", type=Path, help="file of the unfinished run (default: OUT.run/state.safetensors)")
    parser.add_argument("--dry-run", action="store_true", help="stop after the checks and the estimate, write nothing")
    network = parser.add_argument_group("network")
    network.add_argument("--network", choices=NETWORKS, default=RECURRENT, help="kind of network (%(default)s)")
    for name, choices in CHOICES.items():
        network.add_argument(_flag(name), choices=choices, help=_usual(name))
    feeding = "feed the attentional vector into the next step (default: it is not fed)"
    network.add_argument("--input-feeding", action="store_true", default=None, help=feeding)
    for name in SIZES:
        network.add_argument(_flag(name), type=int, help=_usual(name))
    network.add_argument("--dropout", type=float, help=_usual("dropout"))
    _add_training(parser)
    parser.epilog = (
        "A run that was stopped or killed goes on when the same command is given again. It is kept beside the model, "
        "in OUT.run, which can be deleted once the model is there. Several processes train together when torchrun "
        "starts them: torchrun --nproc-per-node=2 -m regard train ..."
    )


def _add_data(parser: argparse.ArgumentParser) -> None:
    data = parser.add_argument_group("data (both kinds may be given, each more than once; .gz is read too)")
    data.add_argument("--table", type=Path, action="append", default=[], metavar="TSV", help="source TAB target lines")
    data.add_argument("--source", type=Path, action="append", default=[], help="source sentences, one per line")
    data.add_argument("--target", type=Path, action="append", default=[], help="their translations, line by line")
    about = "such as: en de (default: from file names such as train.en or en-de.tsv; otherwise en fr)"
    data.add_argument("--languages", nargs=2, metavar=("SOURCE", "TARGET"), help=about)
    data.add_argument("--keep-repeated", action="store_true", help="keep duplicate pairs as often as the text has them")
    data.add_argument("--tokenizer", type=Path, help="use this tokenizer.json instead of learning one")
    about = "entries of a learned tokenizer (%(default)s, fewer for a small text)"
    data.add_argument("--vocabulary", type=int, default=8000, help=about)
    about = "pairs whose attention is recorded during training (default: a few of the validation part)"
    data.add_argument("--watch", type=Path, metavar="TSV", help=about)


def _add_training(parser: argparse.ArgumentParser) -> None:
    training = parser.add_argument_group("training")
    about = "begin with the parameters of this folder or shipped model"
    training.add_argument("--from", dest="earlier", type=named_folder, metavar="MODEL", help=about)
    few, many = ((passes, round(SEEN / passes)) for passes in reversed(PASSES))
    about = (
        f"number of updates (default: {few[0]} passes over up to {few[1]:,} pairs, then fewer, {many[0]} over "
        f"{many[1]:,} or more; from {UPDATES[0]:,} to {UPDATES[1]:,} updates)"
    )
    training.add_argument("--updates", type=int, help=about)
    about = f"tokens on both sides, padding included (default: {Options.batch_tokens:,}, for a small text fewer)"
    training.add_argument("--batch-tokens", type=int, help=about)
    for name in ("warmup", "validate_every"):
        about = f"{MEANING[name]} (default: a tenth of all, at most {getattr(Options, name):,})"
        training.add_argument(_flag(name), type=int, help=about)
    for name in ("seed", "patience", "rate", "decay", "smoothing", "clip"):
        usual, about = getattr(Options, name), f"{MEANING[name]} (%(default)s)"
        training.add_argument(_flag(name), type=type(usual), default=usual, help=about)
    about = "precision of matrix products (default: %(default)s, the fastest here)"
    training.add_argument("--precision", choices=PRECISIONS, default=fastest_precision(), help=about)
    about = "copies of this run's saves, and model folders; the finished model has the mean of their parameters"
    training.add_argument("--average", type=Path, nargs="+", metavar="PATH", help=about)
    about = "updates between two saves of the run (%(default)s)"
    training.add_argument("--save-every", type=int, default=100, help=about)


def languages(arguments: argparse.Namespace) -> tuple[tuple[str, str], str]:
    """Return source and target language, and the origin of each. Raises InputError for an invalid language name."""
    odd = [name for name in arguments.languages or () if not _NAME.fullmatch(name)]
    if odd:
        raise InputError(f"{odd[0]!r} is given as a language; accepted are short names such as en, de or plain")
    if arguments.languages:
        return (arguments.languages[0], arguments.languages[1]), "as asked"
    both = [_BOTH.fullmatch(path.name.lower()) for path in arguments.table]
    named = {(match[1], match[2]) if match else ("", "") for match in both}
    twos = zip(arguments.source, arguments.target, strict=True)
    named |= {(_language_of(source), _language_of(target)) for source, target in twos}
    if len(named) == 1 and all(next(iter(named))):
        return named.pop(), "from the file names"
    return USUAL_LANGUAGES, "by default, because the file names do not say and --languages is not given"


def check(arguments: argparse.Namespace) -> None:
    """Check the options before any work. Raises InputError naming one that is out of range."""
    configure(arguments)
    for name, (low, high) in WHOLE.items():
        if getattr(arguments, name) is not None and not low <= getattr(arguments, name) <= high:
            raise InputError(f"{_flag(name)} is {getattr(arguments, name)}; it must be from {low:,} to {high:,}")
    if arguments.score == "dot" and arguments.state != 2 * arguments.encoder_state:
        raise InputError(f"--state is {arguments.state}, not twice the --encoder-state, as --score dot needs")
    chosen: dict[str, Any] = {name: value for name in OPTIONS if (value := getattr(arguments, name)) is not None}
    Options(**(dict[str, Any](updates=1) | chosen))
    config(arguments, 1, USUAL_LANGUAGES)


def configure(arguments: argparse.Namespace) -> None:
    """Fill in the network's defaults. Raises InputError for an option of another network."""
    usual = {field.name: field.default for field in fields(NETWORKS[arguments.network])}
    for name in (*CHOICES, *SIZES, "input_feeding", "dropout"):
        if getattr(arguments, name) is None:
            setattr(arguments, name, usual.get(name))
        elif name not in usual:
            raise InputError(f"{_flag(name)} is given, which a {arguments.network} network does not have")


def config(arguments: argparse.Namespace, vocabulary: int, languages: tuple[str, str]) -> Config | TransformerConfig:
    """Build the requested network's configuration. Raises InputError if it is impossible."""
    network = NETWORKS[arguments.network]
    given = ("vocabulary", "languages", "network")
    chosen = {field.name: getattr(arguments, field.name) for field in fields(network) if field.name not in given}
    return network(vocabulary, languages, **chosen)


def complete(arguments: argparse.Namespace, corpus: Corpus) -> str:
    """Fill in the remaining numbers by the size of the text; say how many updates were chosen, and why."""
    if arguments.batch_tokens is None:
        arguments.batch_tokens = min(Options.batch_tokens, max(SMALLEST, int(corpus.lengths.sum()) // BATCHES))
    reason = f"{arguments.updates:,} updates, as asked" if arguments.updates else ""
    if arguments.updates is None:
        passes = min(max(SEEN / len(corpus), PASSES[0]), PASSES[1])
        arguments.updates = min(max(round(passes * corpus.count(arguments.batch_tokens)), UPDATES[0]), UPDATES[1])
        reason = f"{arguments.updates:,} updates by default for {len(corpus):,} pairs (--updates sets another number)"
    for name in ("warmup", "validate_every"):
        if getattr(arguments, name) is None:
            setattr(arguments, name, min(getattr(Options, name), max(1, arguments.updates // TENTH)))
    return reason


def given(options: dict[str, object], whole: bool = False) -> list[str]:
    """Return the options as typed on a command line, defaults included; absolute paths are reduced to their names
    unless `whole`."""
    typed = []
    for name, value in ((("from" if name == "earlier" else name), value) for name, value in options.items()):
        if name in ("command", "run") or value is None or value is False or (name, value) == ("network", RECURRENT):
            continue
        if value is True:
            typed.append(_flag(name))
        elif name == "languages" and isinstance(value, Sequence):
            typed += [_flag(name), *value]
        else:
            for one in value if isinstance(value, list) else [value]:
                typed += [
                    _flag(name),
                    one.name if isinstance(one, Path) and one.is_absolute() and not whole else str(one),
                ]
    return typed


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _usual(name: str) -> str:
    """Return the help of an option with its default by network."""
    usual = {kind: {field.name: field.default for field in fields(network)} for kind, network in NETWORKS.items()}
    defaults = {kind: own[name] for kind, own in usual.items() if name in own}
    described = [f"{kind} {value}" if len(defaults) > 1 else str(value) for kind, value in defaults.items()]
    only = f", {next(iter(defaults))} alone" if len(defaults) == 1 else ""
    return f"{MEANING[name]}{only} (default: {', '.join(described)})"


def _language_of(path: Path) -> str:
    """Return the language in the name of a file with one language, or ""."""
    ending = _ENDING.fullmatch(path.name.lower().removesuffix(".gz"))
    return ending[1] if ending else ""
