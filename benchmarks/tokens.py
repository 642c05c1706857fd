"""Tokens of the one file beside Hugging Face's, for every text of a table and for hostile texts."""

import json
import random
import subprocess
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import IO, cast

from benchmarks.report import Table
from regard.app.components.shared.modules import script
from regard.model.checkpoint import TOKENIZER, AnyModel
from regard.model.data.corpus import read_table
from regard.model.tokenizer import Encoding
from regard.pretrained.recipe.node_engine import node

ENTRY = Path(__file__).with_name("tokens.js")
HOSTILE = 1000
LENGTH = 20  # characters of a hostile text
ANYWHERE = (  # code points that hostile texts are drawn from
    *range(0x250), *range(0x300, 0x2100), *range(0x3000, 0x3100), *range(0xD800, 0xD900), *range(0x1F300, 0x1F650),
)  # fmt: skip


def measure(model: AnyModel, table: Path) -> list[Table]:
    """Count the texts for which the tokenizers differ in text, ids, words or places."""
    pairs = read_table(table)
    sides = {
        ("English", "en"): [pair.source for pair in pairs],
        ("French", "fr"): [pair.target for pair in pairs],
        ("hostile, read as English", "en"): hostile(),
        ("hostile, read as French", "fr"): hostile(),
    }
    rows = []
    for (name, language), texts in sides.items():
        own = map(_places, (model.tokenizer.encode(text, language) for text in texts))
        unequal = sum(mine != theirs for mine, theirs in zip(own, tokenized(model, texts, language), strict=True))
        rows.append((name, f"{len(texts):,}", f"{unequal:,}"))
    return [
        Table(
            "Tokens of the one file",
            f"Every side of {table.name}, and {HOSTILE:,} texts of characters from anywhere in Unicode, made tokens by "
            "the engine of the one file, in Node, and by Hugging Face's tokenizers: how many differ in their text, "
            "their ids, their words or the place of any token.",
            ("", "texts", "that differ"),
            tuple(rows),
        )
    ]


def hostile() -> list[str]:
    """Return a fixed set of texts with control characters, lone surrogates and combining marks."""
    draw = random.Random(17)
    known = [chr(point) for point in ANYWHERE if unicodedata.category(chr(point)) != "Cn"]
    return ["".join(draw.choices(known, k=LENGTH)) for _ in range(HOSTILE)]


def tokenized(model: AnyModel, texts: Sequence[str], language: str) -> Iterator[list[object]]:
    """Yield the tokens of each text from the page's engine."""
    with TemporaryDirectory() as folder:
        engine = Path(folder) / "tokens.mjs"
        engine.write_text(script(ENTRY), encoding="utf-8")
        command = [node(), str(engine), str(model.folder / TOKENIZER)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
            asked, answers = cast(IO[str], process.stdin), cast(IO[str], process.stdout)
            asking = Thread(target=_ask, args=(asked, texts, language))
            asking.start()
            yield from map(json.loads, answers)
            asking.join()


def _ask(pipe: IO[str], texts: Sequence[str], language: str) -> None:
    with pipe:
        for text in texts:
            pipe.write(json.dumps([text, language]) + "\n")


def _places(encoding: Encoding) -> list[object]:
    spans = [[[span.start, span.stop] for span in some] for some in (encoding.words, encoding.characters)]
    return [encoding.text, list(encoding.ids), list(encoding.word_of), *spans]
