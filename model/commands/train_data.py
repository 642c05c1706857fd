"""Training data: files are checked, split and tokenised until a training can begin."""

import argparse
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

import torch

from regard.model.commands.train_arguments import complete, config, languages
from regard.model.data.corpus import (
    TRAINING_TOKENS,
    Bounds,
    Corpus,
    Pair,
    Recorded,
    Split,
    bounds,
    check,
    read_table,
    recorded,
    split,
)
from regard.model.evaluation.translation_quality import bleu_tokenizer
from regard.model.input_error import InputError
from regard.model.network import AnyNetwork
from regard.model.readable import language
from regard.model.tokenizer import Tokenizer, train_tokenizer
from regard.model.training.checkpointing import TrainingRun, warm_start
from regard.model.training.distributed import Crew, own_device
from regard.model.training.snapshots import Snapshots, watched
from regard.model.training.trainer import Options, Training
from regard.model.transformer.checkpoint import build, load_any
from regard.model.words import UNSPACED_CHARACTER, WORD_RULES

NEEDED = 100  # usable pairs, of which each held-out part gets about ten
SHOWN = 20  # rare characters that a message names
FEW = 10_000  # below this, a model learns its sentences by heart rather than the language


@dataclass(frozen=True)
class Text:
    """The sentence pairs of a training and their sources."""

    program: ClassVar[str] = "regard"  # that trains with such text
    paths: tuple[Path, ...]
    files: tuple[Recorded, ...]
    skipped: dict[str, int]  # skipped lines, by reason
    bounds: Bounds
    parts: Split

    def corpus(self, tokenizer: Tokenizer) -> Corpus:
        """Return the corpus to learn from."""
        return Corpus(self.parts.train, tokenizer)

    def origins(self) -> dict[str, int]:
        """Return the number of an epoch's pairs by origin: text, or a way of generating them."""
        return {"text": len(self.parts.train)}

    def fingerprint(self, tokenizer: Tokenizer) -> dict[str, str]:
        """Return the values that must not change when a run is resumed: files, pairs taken from them, vocabulary."""
        digests = {f"file {number}, {file.name}": file.sha256 for number, file in enumerate(self.files, start=1)}
        pairs = [*self.parts.train, *self.parts.validation, *self.parts.test]
        vocabulary = [tokenizer.token(index) for index in range(len(tokenizer))]
        return digests | {"sentence pairs": _digest(pairs), "vocabulary": _digest(vocabulary)}


def read_text(arguments: argparse.Namespace, crew: Crew) -> Text:
    """Check the files, report the findings, and split the pairs. Raises InputError if that fails."""
    if len(arguments.source) != len(arguments.target):
        counts = f"{len(arguments.source)} --source and {len(arguments.target)} --target files"
        raise InputError(f"{counts}; give them in pairs")
    twos = list(zip(arguments.source, arguments.target, strict=True))
    if not twos and not arguments.table:
        raise InputError("no text to learn from; give --table, or --source and --target")
    crew.tell("checking the text")
    texts = check(arguments.table, twos, arguments.keep_repeated, languages(arguments)[0])
    for line in (line for text in texts for line in text.report()):
        crew.tell(line)
    pairs = [pair for text in texts for pair in text.pairs]
    apart = bounds(len(pairs))
    parts = _check_parts(split(pairs, apart), len(pairs))
    sizes = [f"{len(part):,}" for part in (parts.train, parts.validation, parts.test)]
    crew.tell(f"{sizes[0]} pairs for training, {sizes[1]} for validation, {sizes[2]} held out to measure the model")
    if len(parts.train) < FEW:
        crew.tell(f"that is few: below some {FEW:,} pairs a model learns its sentences by heart and little else")
    files = [*arguments.table, *arguments.source, *arguments.target]
    skipped = sum((Counter({why: len(lines) for why, lines in text.skipped.items()}) for text in texts), Counter())
    return Text(tuple(files), tuple(map(recorded, files)), dict(skipped), apart, parts)


def prepare(arguments: argparse.Namespace, text: Text, crew: Crew, learned: str = "") -> tuple[TrainingRun, Tokenizer]:
    """Return a run before its first update. Fills in the numbers that `arguments` leaves open.

    `learned` is the vocabulary of a saved run, which is reused.
    """
    arguments.languages, how = languages(arguments)
    pairs = read_table(arguments.watch, arguments.languages) if arguments.watch else watched(text.parts.validation)
    snapshots = Snapshots(tuple(pairs), ())
    crew.tell(f"languages: {' and '.join(arguments.languages)}, {how}")
    tokenizer = crew.first(lambda: _tokenizer(arguments, text.parts, crew, learned))
    for line in _language_messages(tokenizer, text.parts):
        crew.tell(line)
    crew.tell("turning the sentences into tokens")
    train, validation = text.corpus(tokenizer), Corpus(text.parts.validation, tokenizer)
    left_out = train.left_out + validation.left_out
    if left_out:
        crew.tell(f"{left_out:,} more pairs are skipped, because a side has over {TRAINING_TOKENS} tokens")
    if not len(train) or not len(validation):
        raise InputError(
            f"no side may have over {TRAINING_TOKENS} tokens; too few pairs are left for training and validation"
        )
    complete(arguments, train)
    options = Options(**{field.name: getattr(arguments, field.name) for field in fields(Options)})
    training = Training(_network(arguments, tokenizer), train, validation, options, crew)
    run = TrainingRun(training, snapshots, text.fingerprint(tokenizer))
    run.tokenizer, run.vocabulary = tokenizer.to_json(), arguments.vocabulary
    return run, tokenizer


def _check_parts(parts: Split, pairs: int) -> Split:
    counts = {"training": parts.train, "validation": parts.validation, "measuring": parts.test}
    empty = [name for name, part in counts.items() if not part]
    if empty:
        raise InputError(
            f"{pairs:,} usable pairs leave none for {' and none for '.join(empty)}; give at least {NEEDED} with "
            "different source sentences"
        )
    return parts


def _tokenizer(arguments: argparse.Namespace, parts: Split, crew: Crew, learned: str) -> Tokenizer:
    chosen = arguments.languages
    if arguments.tokenizer:
        return Tokenizer.load(arguments.tokenizer, chosen)
    if learned:
        crew.tell("the vocabulary is that of the saved run")
        return Tokenizer.from_json(learned, chosen)
    sides = zip(chosen, zip(*parts.train, strict=True), strict=True)
    tokenizer = train_tokenizer(sides, chosen, arguments.vocabulary)
    fewer = f", {arguments.vocabulary:,} were asked for" if len(tokenizer) != arguments.vocabulary else ""
    crew.tell(f"a vocabulary of {len(tokenizer):,} tokens is learned{fewer}")
    return tokenizer


def _language_messages(tokenizer: Tokenizer, parts: Split) -> Iterator[str]:
    """Yield messages: characters spelled in bytes, how words are divided, and how BLEU will divide them."""
    texts = [text for pair in parts.train for text in pair]
    counts, rare = Counter("".join(texts)), tokenizer.spelled(texts)
    if rare:
        some = " ".join(sorted(rare, key=lambda character: (-rare[character], character))[:SHOWN])
        share = rare.total() / counts.total()
        yield f"{len(rare):,} rare characters, {share:.2%} of the text, are spelled in bytes: {some}"
    unspaced = [
        language(code)
        for code, side in zip(tokenizer.languages, zip(*parts.train, strict=True), strict=True)
        if UNSPACED_CHARACTER.search("".join(side)) and code not in WORD_RULES
    ]
    if unspaced:
        yield f"{' and '.join(unspaced)} without blanks between words: there each character counts as a word"
    yield f"BLEU divides the translations as sacrebleu's {bleu_tokenizer(tokenizer.languages[1])} does"


def _network(arguments: argparse.Namespace, tokenizer: Tokenizer) -> AnyNetwork:
    torch.manual_seed(arguments.seed)
    chosen = config(arguments, len(tokenizer), tokenizer.languages)
    network = build(chosen)
    if arguments.earlier:
        warm_start(network, load_any(arguments.earlier))
    return network.to(own_device())


def _digest(items: Sequence[Pair] | Sequence[str]) -> str:
    digest = hashlib.sha256()
    for item in items:
        digest.update(repr(item).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
