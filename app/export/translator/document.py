"""Document: one HTML document with models, the engine and the stepper; or the same as a site.

The document may request no address, a site only its own folder; only its own script and style run, identified by their
hash. The scripts come before the weights, so that a truncated file can say so.
"""

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int8
from numpy import ndarray
from safetensors.numpy import load_file, save

from regard.app.components.shared.modules import script, stepper_style
from regard.app.components.stepper.payload import formula
from regard.app.export.document import KEYS, around, embedded, policy, program, variables
from regard.app.models.records import usual_length
from regard.app.theme import STRIP
from regard.app.visitor.question import TABLES, UNITS
from regard.app.wording import (
    EXAMPLES,
    SCREEN_TOKENS,
    STRANGE,
    between,
    invitation,
    model_title,
    sentence_label,
    sequences,
)
from regard.model import truecasing
from regard.model.alignment import READ_AS
from regard.model.arithmetic.quantity import with_terms
from regard.model.cards.record_files import CARD, SCORES_FILE
from regard.model.checkpoint import TOKENIZER, WEIGHTS, AnyModel
from regard.model.doubt.chance import load
from regard.model.files import write_file
from regard.model.input_error import InputError
from regard.model.principal_axes import AXES
from regard.model.readable import BYTE_IDS, LINE_TOKENS, PLAIN, known_symbols, language
from regard.model.tracing import maker
from regard.model.uploads.admission import record

DICTIONARY = "The known words are those of pyspellchecker, MIT License, Copyright (c) 2018-2021 Tyler Barrus."


HERE = Path(__file__).parent
LICENCES = "## Text, licences and attribution"
ROUNDED = "The weights of this page are rounded to 8 bits per number, so its numbers are those of the rounded weights. "
COSTS = (
    "Rounded to 8 bits, {name} reaches BLEU {rounded:.1f} instead of {shipped:.1f}, measured by this page's engine on "
    "{pairs:,} held-out pairs, greedy. "
)
NOT_MEASURED = "The cost of rounding {name} has not been measured. "


class ReportTable(NamedTuple):
    """The table of a text, which stands above the form: its title, its HTML, and the sentence to open first."""

    title: str
    html: str
    sentence: str


def page(models: Sequence[AnyModel], *, rounded: bool = False, table: ReportTable | None = None) -> str:
    """Return one file with these models, the first of them selected. `rounded` stores weights in 8 bits. Links of
    `table` to `#sentence=…` open a sentence of up to LINE_TOKENS tokens.

    Raises InputError if there are no models, or two with one name.
    """
    texts = [compressed(weights(model, rounded)) for model in models]
    described = [_described(model, size=len(text), file="") for model, text in zip(models, texts, strict=True)]
    held = (f'<script type="text/plain" id="weights-{place}">{text}</script>\n' for place, text in enumerate(texts))
    return _document(models, described, "".join(held), rounded, table)


def site(models: Sequence[AnyModel], folder: Path, *, rounded: bool = False) -> list[Path]:
    """Write the page as `index.html`, with the weights in files beside it, which it fetches. Returns the
    written files.
    """
    files = {f"{model.name}.safetensors": weights(model, rounded) for model in models}
    described = [
        _described(model, size=len(content), file=name)
        for model, (name, content) in zip(models, files.items(), strict=True)
    ]
    document = _document(models, described, "", rounded)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in {"index.html": document, **files}.items():
        write_file(folder / name, content)
    return [folder / name for name in ("index.html", *files)]


def weights(model: AnyModel, rounded: bool) -> bytes:
    """Return the weights' file as shipped, or rounded to a quarter of float32: every matrix as int8, with a float32
    scale per row; vectors stay as they are."""
    file = model.folder / WEIGHTS
    if not rounded:
        return file.read_bytes()
    arrays: dict[str, ndarray] = {}
    for name, array in load_file(file).items():
        if array.ndim == 2:
            arrays[name], arrays[f"{name}.scale"] = rounded_rows(array.astype(np.float32))
        else:
            arrays[name] = array
    return save(arrays)


def rounded_rows(matrix: Float[ndarray, "N X"]) -> tuple[Int8[ndarray, "N X"], Float[ndarray, " N"]]:
    """Return whole numbers and a scale per row, so that the largest number of a row is exact and 0 is 0."""
    scales = np.abs(matrix).max(axis=1) / np.float32(127)
    scales[scales == 0] = 1
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def compressed(content: bytes) -> str:
    """Return gzip as base64 text, for a script element."""
    return base64.b64encode(gzip.compress(content, mtime=0)).decode("ascii")


def _document(
    models: Sequence[AnyModel],
    described: list[dict[str, Any]],
    held: str,
    rounded: bool,
    table: ReportTable | None = None,
) -> str:
    """Return the document; without the weights in `held` it may request them from its own folder."""
    _check(models)
    sheets = (
        HERE.parent / "page.css",
        HERE.parent.parent / "components" / "working" / "working.css",
        HERE / "translator.css",
    )
    style = "\n".join([variables(), stepper_style(), *(sheet.read_text(encoding="utf-8") for sheet in sheets)])
    code = script(HERE / "translator.js")
    known = {
        "models": described,
        "numbers": with_terms(),
        "signed": STRIP,
        "longest": LINE_TOKENS + 1 if table else SCREEN_TOKENS,
        "first": table.sentence if table else "",
        "view": {"units": UNITS[0], "rows": READ_AS},
        "strange": STRANGE,
        "bytes": [BYTE_IDS.start, BYTE_IDS.stop],
        "spelling": spelling(),
        "telling": TABLES,
    }
    known["spelling"]["known"] = compressed(known["spelling"]["known"].encode())  # 1.6 MB
    languages = between(models[0].config.languages)
    body = (
        f"{table.html if table else _header(models, languages)}{_form(models)}"
        '<main><div class="waiting"></div></main>\n'
        '<section id="changes" aria-label="What was changed" hidden></section>\n'
        '<section id="n-best" aria-label="Beam search"></section>\n'
        f"{_footer(models, rounded)}<!-- {DICTIONARY} -->\n"
    )
    rules = policy(code, style, connect="" if held else "'self'")
    head, middle, _ = around(table.title if table else f"Regard: {languages}", rules, body, embedded(known))
    return f"{head}{style}{middle}{code}</script>\n{held}</body></html>\n"


def _check(models: Sequence[AnyModel]) -> None:
    names = [model.name for model in models]
    if not names:
        raise InputError("no models: a page needs at least one")
    if len(set(names)) < len(names):
        raise InputError(f"models in one page need different names; these are {', '.join(names)}")


def _described(model: AnyModel, size: int, file: str) -> dict[str, Any]:
    """Return the page's data about a model; `size` is that of its weights, in characters or bytes as sent."""
    tokenizer = json.loads((model.folder / TOKENIZER).read_text(encoding="utf-8"))["model"]
    (source, target), fit = model.config.languages, load(model.folder, model.fingerprint)
    return {
        "name": model.name,
        "title": model_title(model.config),
        "fingerprint": model.fingerprint,
        "config": asdict(model.config),
        "tokenizer": {"model": {name: tokenizer.get(name) for name in ("vocab", "merges", "ignore_merges")}},
        "axes": base64.b64encode((model.folder / AXES).read_bytes()).decode() if model.axes else "",
        "doubt": fit.as_data() if fit else None,
        "parameters": model.parameters,
        "formula": formula(maker(model)),
        "size": size,
        "file": file,
        "examples": EXAMPLES.get((source, target)) or dict(islice(sequences(model.tokenizer).items(), 1)),
        "known": known_symbols(model.tokenizer) if source == PLAIN else "",
        "usualLength": usual_length(model.folder),
        "sentenceLabel": sentence_label(source),
        "ownLabel": f"Force a translation ({language(target)}, optional)",
        "invitation": invitation(source),
    }


def _header(models: Sequence[AnyModel], languages: str) -> str:
    named = " and ".join(f"<b>{escape(model.name)}</b>" for model in models)
    return (
        f"<header><h1>{escape(languages)}, step by step</h1><p>The model{'s' if len(models) > 1 else ''} {named} "
        f"{'are' if len(models) > 1 else 'is'} in this page and compute{'' if len(models) > 1 else 's'} here. Nothing "
        f"you type leaves this machine. {KEYS} Press any number for its arithmetic.</p></header>\n"
    )


def _form(models: Sequence[AnyModel]) -> str:
    choices = "".join(f'<option value="{escape(model.name)}">{escape(model.name)}</option>' for model in models)
    return (
        '<section id="ask" aria-label="Sentence to translate"><div id="fields">'
        '<label><span id="sentence-label">Sentence</span><input type="text" id="sentence" autocomplete="off"></label>'
        '<label><span id="own-label">Force a translation</span>'
        '<input type="text" id="given" autocomplete="off"></label>'
        '<button type="button" id="translate">Translate</button>'
        f'<div id="choices"{" hidden" if len(models) == 1 else ""}>'
        f'<label>Model <select id="model">{choices}</select></label>'
        '<label><input type="checkbox" id="compare"> Side by side</label></div></div>\n'
        '<p id="examples" role="group" aria-label="Examples"></p><p id="read-as" class="note" role="note"></p>'
        '<p id="status" role="status">Reading … If this stays, scripts are off or this file is not complete.</p>'
        '<progress id="progress" aria-label="Fetching the weights" hidden></progress>'
        '<p id="remark" class="note" role="note"></p>'
        '<p id="translation" aria-live="polite"></p><p id="about"></p></section>\n'
    )


def _footer(models: Sequence[AnyModel], rounded: bool) -> str:
    about = "".join(_about(model) for model in models)
    rounding = ROUNDED + "".join(map(_cost, models)) if rounded else ""  # and its cost for each model
    return (
        f"<footer><p>Made by {program()}, whose code is under the Apache License 2.0. {rounding}"
        "The page asks no server for anything except weights in a file of their own.</p>"
        f"{about}</footer>\n"
    )


def _cost(model: AnyModel) -> str:
    """Say what rounding costs, as measured by `evaluate --page` on these weights."""
    name = escape(model.name)
    try:
        scores = record((model.folder / SCORES_FILE).read_bytes())
        if scores["model"]["fingerprint"] != model.fingerprint:
            return NOT_MEASURED.format(name=name)
        found = scores["page"]
        shipped, rounded = (found[grade]["bleu"]["score"] for grade in ("shipped", "rounded"))
        pairs = found["pairs"]
    except (OSError, InputError, LookupError, TypeError):  # a model works without these files
        return NOT_MEASURED.format(name=name)
    return COSTS.format(name=name, rounded=rounded, shipped=shipped, pairs=pairs)


def _about(model: AnyModel) -> str:
    """Return the model's identity, its licences and its card."""
    card = model.folder / CARD
    text = card.read_text(encoding="utf-8") if card.is_file() else ""
    _, _, licences = text.partition(LICENCES)
    return (
        f"<details><summary>The model {escape(model.name)}: licences and card, in Markdown</summary>"
        f"<p>SHA-256 of its files <code>{escape(model.fingerprint)}</code></p>"
        f"<p>{'Trained on:' if licences.strip() else 'Its training data is not recorded.'}</p>"
        f"<pre>{escape(licences.strip())}</pre><pre>{escape(text.strip())}</pre></details>"
    )


def spelling() -> dict[str, Any]:
    """Return the word lists by which the engine's `readAs` reads a sentence as `truecasing.read_as` does.

    `known` has a word a line, the most frequent first.
    """
    return {
        "contractions": truecasing.CONTRACTIONS,
        "proper": sorted(truecasing.PROPER),
        "english": sorted(truecasing.OF_ENGLISH),
        "foreign": sorted(truecasing.OF_OTHERS),
        "foreignRemark": truecasing.NOT_ENGLISH,
        "known": "\n".join(truecasing.dictionary()),
        "frequent": truecasing.FREQUENT,
        "lengths": [truecasing.SHORTEST, truecasing.LONGEST],
        "letters": truecasing.LETTERS,
        "alike": truecasing.ALIKE,
    }
