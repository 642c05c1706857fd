"""Admission of an uploaded model: everything is checked in memory before anything is loaded or written.

The zip is unpacked to files (`regard.model.uploads.unpacking`), then checked file by file: the config against limits,
turned into shapes without building a network, the vocabulary, the weights against those shapes
(`regard.model.uploads.arrays`), and the records: scores, training record, card and snapshots. What stands in those is
only bounded here, as a record that is not what it should be breaks a page of its own visitor. Only then are the files
written, and the model is loaded like any other. A failure leaves nothing behind.
"""

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from math import isfinite, prod
from pathlib import Path
from typing import Any

import torch

from regard.model.cards.record_files import CARD, FORMAT, HISTORY, SCORES_FILE, TRAINING
from regard.model.checkpoint import CONFIG, TOKENIZER, WEIGHTS, Pretrained
from regard.model.config import Config
from regard.model.doubt.chance import DOUBT, parse
from regard.model.input_error import InputError
from regard.model.principal_axes import AXES
from regard.model.readable import MODEL_BYTES
from regard.model.tokenizer import BYTES, CONTROL, Tokenizer
from regard.model.training.snapshots import SNAPSHOTS, Snapshots
from regard.model.transformer.checkpoint import PretrainedTransformer, build, config_of, load_any
from regard.model.transformer.transformer import TransformerConfig
from regard.model.uploads.arrays import TEXT, Bound, check_tensors, read_npz
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
MOST_VALUES = 300_000  # of JSON, names counted too: a tokenizer of 65,536 entries has 262,000
MOST_ROWS, MOST_COLUMNS = 100_000, 100  # of a history
MOST_PAIRS, MOST_MOMENTS = 64, 1000  # ours have 8, and 12 of each run
MOST_ELEMENTS = 2**22  # of an array of weights; the largest of ours has 272,160
SNAPSHOT_BYTES = 2**25  # of all arrays of snapshots, unpacked; ours have up to 2,132,192
ARRAYS = {  # of snapshots
    **dict.fromkeys(("sources", "targets"), Bound(TEXT, 1, MOST_PAIRS)),
    "updates": Bound("i", 1, MOST_MOMENTS),
    "log_probabilities": Bound("f", 2, MOST_MOMENTS * MOST_PAIRS),
    "translations": Bound(TEXT, 2, MOST_MOMENTS * MOST_PAIRS),
    **{f"weights_{index}": Bound("f", 3, MOST_ELEMENTS) for index in range(MOST_PAIRS)},
    **{f"heads_{index}": Bound("f", 5, MOST_ELEMENTS) for index in range(MOST_PAIRS)},
}

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")
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


def record(content: bytes) -> dict[str, Any]:
    """Return the values of `scores.json` or `training.json`. Raises InputError for another format."""
    values = parsed(content)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise InputError(f"its entry “format” is not {FORMAT}")
    return values


def check_history(content: bytes) -> None:
    """Check that the history is a table of finite numbers, by update."""
    table = text(content)
    if not table.endswith("\n"):
        raise InputError("it breaks off in its last line")
    rows = csv.DictReader(StringIO(table))
    columns = rows.fieldnames or ()
    if "update" not in columns or len(columns) > MOST_COLUMNS:
        raise InputError(f"its first line has no column “update”, or more than {MOST_COLUMNS} columns")
    for number, row in enumerate(rows, start=2):
        if number > MOST_ROWS or not all(isinstance(value, str) and isfinite(float(value)) for value in row.values()):
            raise InputError(f"line {number} has no number under each heading, or is beyond {MOST_ROWS:,}")


def parsed(content: bytes) -> Any:
    """Parse JSON of a moderate number of values, without NaN. Raises InputError for anything else, but a plain
    ValueError for a number of too many digits or half a surrogate pair."""
    if (count := content.count(b",") + content.count(b":")) > MOST_VALUES:
        raise InputError(f"it has {count:,} names and values; up to {MOST_VALUES:,} are read")
    try:
        values = json.loads(text(content), parse_constant=_no_constant)
        json.dumps(values, ensure_ascii=False).encode()  # a lone half of a surrogate pair is not text
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"it is not JSON ({error})") from error
    return values


def text(content: bytes) -> str:
    """Decode UTF-8 without control characters."""
    try:
        content_text = content.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"it is not UTF-8 text ({error.reason} at byte {error.start:,})") from error
    if odd := _CONTROL.search(content_text):
        raise InputError(f"it is not plain text: its character {odd.start() + 1:,} is U+{ord(odd.group()):04X}")
    return content_text


def _no_constant(name: str) -> None:
    raise InputError(f"it holds {name}, which is not a JSON number")


def check_snapshots(content: bytes) -> None:
    """Check the file. Raises InputError naming the wrong array and the reason."""
    read_npz(content, ARRAYS, SNAPSHOT_BYTES)
    Snapshots.read(content)


_RECORDS: dict[str, Callable[[bytes], object]] = {
    SCORES_FILE: record,
    HISTORY: check_history,
    TRAINING: record,
    SNAPSHOTS: check_snapshots,
    CARD: text,
    AXES: check_tensors,
    DOUBT: parse,
}
