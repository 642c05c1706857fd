"""Admission of an uploaded model: everything is checked in memory before anything is loaded or written.

The zip is unpacked to files (`regard.model.uploads.unpacking`), then checked file by file: the config against limits,
turned into shapes without building a network, the vocabulary, the weights against those shapes
(`regard.model.uploads.arrays`), the records (`regard.model.uploads.metadata`). Only then are the files written, and the
model is loaded like any other. A failure leaves nothing behind.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path

import torch

from regard.model.cards.record_files import CARD, HISTORY, SCORES_FILE, TRAINING
from regard.model.checkpoint import CONFIG, TOKENIZER, WEIGHTS, Pretrained
from regard.model.config import Config
from regard.model.doubt.chance import DOUBT, parse
from regard.model.input_error import InputError
from regard.model.principal_axes import AXES
from regard.model.readable import MODEL_BYTES
from regard.model.tokenizer import BYTES, CONTROL, Tokenizer
from regard.model.training.snapshots import SNAPSHOTS
from regard.model.transformer.checkpoint import PretrainedTransformer, build, config_of, load_any
from regard.model.transformer.transformer import TransformerConfig
from regard.model.uploads.arrays import check_tensors
from regard.model.uploads.metadata import check_history, check_snapshots, parsed, record, text
from regard.model.uploads.unpacking import unpack
from regard.model.words import normalise

ACCEPTED = {  # files of a model, and each one's most bytes
    CONFIG: 2**14,
    TOKENIZER: 2**23,
    WEIGHTS: MODEL_BYTES,
    SCORES_FILE: 2**20,
    HISTORY: 2**22,
    TRAINING: 2**18,
    SNAPSHOTS: 2**22,
    CARD: 2**18,
    AXES: 2**20,
    DOUBT: 2**17,
}
NEEDED = (CONFIG, TOKENIZER, WEIGHTS)
LARGEST_SIZES = {"vocabulary": 2**16, "embedding": 2**11, "encoder_state": 2**11, "state": 2**11, "feed_forward": 2**13}
MOST_HEADS = 32  # in all layers of one side; each head has weights for every pair of tokens
MOST_PARAMETERS = 30_000_000
RATIO = 200  # unpacked size over packed size; weights hardly shrink, JSON shrinks to a tenth
LONGEST_TOKEN, LONGEST_REASON = 100, 400  # characters

_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")
_RECORDS: dict[str, Callable[[bytes], object]] = {
    SCORES_FILE: record,
    HISTORY: check_history,
    TRAINING: record,
    SNAPSHOTS: check_snapshots,
    CARD: text,
    AXES: check_tensors,
    DOUBT: parse,
}
_PLAIN_BPE = {  # the tokenizer's model without vocabulary, merges and `ignore_merges`
    "type": "BPE",
    "dropout": None,
    "unk_token": None,
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": False,
    "byte_fallback": True,
}


def admit(packed: bytes, folder: Path) -> Pretrained | PretrainedTransformer:
    """Write the zipped model into a new folder, and load it. Raises InputError naming the file, the error and the
    accepted values; the folder is then removed."""
    files = checked(packed)
    try:
        folder.mkdir(parents=True, mode=0o700)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        return load_any(folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def checked(packed: bytes) -> dict[str, bytes]:
    """Check a zip and return its files; nothing is loaded or written. Raises InputError for any other zip."""
    files = unpack(packed, ACCEPTED, RATIO)
    missing = [name for name in NEEDED if name not in files]
    if missing:
        raise InputError(f"{', '.join(missing)} missing; a model has {', '.join(NEEDED)}")
    with _naming(CONFIG):
        config = read_config(files[CONFIG])
        shapes = network_shapes(config)
    with _naming(TOKENIZER):
        check_tokenizer(files[TOKENIZER], config)
    with _naming(WEIGHTS):
        check_tensors(files[WEIGHTS], shapes)
    for name in _RECORDS.keys() & files.keys():
        with _naming(name):
            _RECORDS[name](files[name])
    return files


def read_config(content: bytes) -> Config | TransformerConfig:
    """Read a config of either network within limits. Raises InputError naming the entry."""
    config = config_of(parsed(content))
    for name, most in LARGEST_SIZES.items():
        if (size := getattr(config, name, 0)) > most:
            raise InputError(f"{name} is {size:,}; up to {most:,} is accepted")
    if isinstance(config, TransformerConfig):
        heads = config.heads * max(config.encoder_layers, config.decoder_layers)
        if heads > MOST_HEADS:
            raise InputError(f"its layers have {heads:,} heads together; up to {MOST_HEADS} on each side are accepted")
    for language in config.languages:
        if not _LANGUAGE.fullmatch(language):
            raise InputError(f"a language is {language[:40]!r}; accepted are short names such as en, de or plain")
    return config


def network_shapes(config: Config | TransformerConfig) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the network's tensors by name, found without allocating a single number."""
    with torch.device("meta"):
        network = build(config)
    shapes = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    parameters = sum(map(prod, shapes.values()))
    if parameters > MOST_PARAMETERS:
        raise InputError(f"it asks for {parameters:,} parameters; up to {MOST_PARAMETERS:,} are accepted")
    return shapes


def check_tokenizer(content: bytes, config: Config | TransformerConfig) -> None:
    """Check that the tokenizer is a byte-pair encoding of the config's vocabulary, as `regard train` makes them."""
    given = parsed(content)
    model = given.get("model") if isinstance(given, dict) else None
    if not isinstance(model, dict) or any(model.get(name, value) != value for name, value in _PLAIN_BPE.items()):
        raise InputError("it is not a byte-pair encoding that falls back on bytes, as `regard train` makes them")
    tokenizer = Tokenizer.from_json(content.decode(), config.languages)
    if len(tokenizer) != config.vocabulary:
        raise InputError(f"it has {len(tokenizer):,} entries, {CONFIG} says {config.vocabulary:,}")
    for token in map(tokenizer.token, range(len(CONTROL) + len(BYTES), len(tokenizer))):
        if not 0 < len(token) <= LONGEST_TOKEN or " " in normalise(f"a{token.removeprefix(' ')}a"):
            raise InputError(f"its entry {token[:20]!r} is empty, too long or has a blank inside")


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Turn an error into one line that begins with the name of the file."""
    try:
        yield
    except ValueError as error:
        raise InputError(f"{name}: {' '.join(str(error).split())[:LONGEST_REASON]}") from error
