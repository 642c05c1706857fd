"""The model card of a folder and the README's table of models, written from what training and evaluation recorded."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from model.cards.head_tables import head_tables
from model.cards.markdown import (
    agreement,
    baseline_line,
    explanation,
    label,
    table,
    translations,
    typed_first,
)
from model.cards.task_card import about, exactness, limits, trained
from model.data.provenance import KNOWN, Recorded, notices
from model.evaluation import scores_record
from model.files import at_once
from model.input_error import InputError
from model.languages import language

FORMAT = 1  # of scores.json and training.json
SCORES, TRAINING, HISTORY, CARD = "scores.json", "training.json", "history.csv", "README.md"
MARKERS = "<!-- models:start -->", "<!-- models:end -->"
TASK_MARKERS = "<!-- tasks:start -->", "<!-- tasks:end -->"
MANY = 1_000_000  # parameters from which on they are told in millions
READINGS = ("output", "posterior", "posterior_hmm")
AER = "AER: weights / posterior / with jumps"

LIMITS = """\
- {seen}
- It reads one sentence at a time: it knows no context, and chooses forms of address and genders by habit of its data,
  prejudices included.
- {attention}

It is made for learning how attention works. It is not for translations that anybody relies on, least of all medical,
legal or safety matters, nor for judging people."""

SEEN = """\
It has seen short everyday sentences and image captions. Long, literary, technical or spoken language is translated
  badly, names and numbers are sometimes lost, and what it does not know it makes up, in fluent {target}."""
SEEN_OTHERS = """\
It has seen {pairs} and nothing else. Sentences of another kind, or longer ones, are translated
  badly, names and numbers are easily lost, and what it does not know it makes up."""
LOOKING = """\
Attention shows where the decoder looked. How far that is a word alignment can be measured; whether it is an explanation
  depends on what is meant by one. It was trained for neither."""
NOT_LOOKING = (
    "It has no attention: the weights that are shown and measured of it are one half each, on the first and the last "
    "annotation, at every step."
)


def read_scores(folder: Path) -> dict[str, Any]:
    """`scores.json` of a folder. Raises InputError naming the file when it is missing or of another format version."""
    return _read(folder / SCORES)


def write_card(folder: Path) -> None:
    """Write `README.md`; parts whose record is missing are left out, an absent `config.json` is an error."""
    written = card(folder)
    at_once(folder / CARD, lambda path: path.write_text(written, encoding="utf-8"))


def card(folder: Path) -> str:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    training = training_record(folder)
    scores = read_scores(folder) if (folder / SCORES).exists() else {}
    source, target = map(language, config["languages"])
    files = [*training.get("files", []), *_measured_files(scores)]
    having, attention = ("without", NOT_LOOKING) if config.get("score") == "none" else ("with", LOOKING)
    if "task" in training:
        parts = [
            f"# {scores_record.model(scores)['name']}\n\n{about(training['setup'], _built(config, having))}",
            _section("Scores", exactness(scores)),
            _section("Limits, and what it is not for", limits(training["setup"], attention)),
            _section("Network", _network(config, scores)),
            _section("Training", trained(training, history(folder))),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"
    parts = [
        f"# {folder.resolve().name}\n\nTranslates {source} into {target}: {_built(config, having)}, small enough "
        "that every number of a translation can be shown and recomputed. This card is generated from the records "
        "beside it.",
        _section("Scores", translations(scores)),
        _section("What people type first", typed_first(scores)),
        _section("Agreement with hand-made word alignments", agreement(scores)),
        _section("What attention is worth to the model", explanation(scores)),
        _section("Heads", head_tables(scores)),
        _section("Limits, and what it is not for", LIMITS.format(seen=_seen(training, target), attention=attention)),
        _section("Network", _network(config, scores)),
        _section("Training", _training(training, history(folder))),
        _section("Text, licences and attribution", "\n".join(notices(Recorded(**file) for file in files))),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def model_table(folders: Sequence[Path]) -> str:
    """One row a model, of BLEU greedy decoding first and beam search after it; below it what baselines reach."""
    scored = [(folder, read_scores(folder)) for folder in folders]
    tests = list(dict.fromkeys(name for _, scores in scored for name in scores_record.tests(scores)))
    bleu = [f"BLEU {label(test)}" for test in tests]
    heads = ["model", "score", "wiring", "cell", "parameters", "size", "ms per sentence", "typed first", *bleu, AER]
    rows = []
    for folder, scores in scored:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        per_test = [scores_record.searches(scores, test).values() for test in tests]
        rows.append(
            [
                f"[{folder.name}](pretrained/{folder.name}/{CARD})",
                *_kind(config),
                *_size(scores_record.model(scores)),
                f"{speed['milliseconds_a_sentence']:.0f}" if (speed := scores_record.speed(scores)) else "",
                _typed(scores),
                *(" / ".join(f"{one['bleu']['score']:.1f}" for one in searches) for searches in per_test),
                _error_rates(scores),
            ]
        )
    below = baseline_line([scores for _, scores in scored])
    return "\n\n".join(part for part in (table(heads, rows), below) if part)


def _typed(scores: Mapping[str, Any]) -> str:
    """The share of what people type first that comes out right, as it is read."""
    typed = scores_record.typed_first(scores)
    if not typed:
        return ""
    count = typed["as_read"]["all"]
    return f"{count['accepted'] / count['sentences']:.0%}"


def _error_rates(scores: Mapping[str, Any]) -> str:
    """Alignment error rates of the weights and of what is read from them once the word is known."""
    overall = scores_record.agreement(scores)
    return " / ".join(f"{overall[reading]['aer']:.3f}" for reading in READINGS if reading in overall)


def _built(config: dict[str, Any], having: str) -> str:
    """The network in words."""
    if "heads" not in config:
        return f"a recurrent encoder and decoder {having} attention"
    layers = f"{config['encoder_layers']} and {config['decoder_layers']} layers"
    return f"a Transformer, an encoder and a decoder of {layers} with {config['heads']} heads each"


def _kind(config: dict[str, Any]) -> tuple[str, str, str]:
    """Score, wiring and cell."""
    return (
        ("scaled dot", "transformer", "") if "heads" in config else (config["score"], config["wiring"], config["cell"])
    )


def history(folder: Path) -> list[dict[str, str]]:
    """The rows of `history.csv`, none where there is none."""
    if not (folder / HISTORY).exists():
        return []
    with (folder / HISTORY).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def task_rows(folders: Sequence[Path]) -> str:
    """One row a model that has practised a task of numbers."""
    heads = ["model", "task", "score", "cell", "parameters", "size", "longest trained on", "exact"]
    rows = []
    for folder in folders:
        scores = read_scores(folder)
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        task = scores_record.task(scores)
        rows.append(
            [
                f"[{folder.name}](pretrained/{folder.name}/{CARD})",
                task["name"],
                *_kind(config)[::2],
                *_size(scores_record.model(scores)),
                str(task["lengths"][1]),
                f"{task['exact']['share']:.1%}",
            ]
        )
    return table(heads, rows)


def update_table(readme: Path, folders: Sequence[Path]) -> None:
    """Put the tables between the markers of a README. Raises InputError when those of the models are missing.

    Models that have practised a task of numbers have a table of their own, where the README has a place for it.
    """
    text = readme.read_text(encoding="utf-8")
    tasks = [folder for folder in folders if scores_record.task(read_scores(folder))]
    text = _between(text, MARKERS, model_table([folder for folder in folders if folder not in tasks]))
    if not text:
        raise InputError(f"{readme}: it has no line {MARKERS[0]} with a line {MARKERS[1]} after it")
    written = _between(text, TASK_MARKERS, task_rows(tasks)) or text
    at_once(readme, lambda path: path.write_text(written, encoding="utf-8"))


def _between(text: str, markers: tuple[str, str], inside: str) -> str:
    """The text with something else between its markers; nothing where they are missing."""
    before, start, rest = text.partition(markers[0])
    _, end, after = rest.partition(markers[1])
    return f"{before}{start}\n{inside}\n{end}{after}" if start and end else ""


def training_record(folder: Path) -> dict[str, Any]:
    """training.json of a model; empty where there is none. Raises InputError for one that cannot be read."""
    return _read(folder / TRAINING) if (folder / TRAINING).exists() else {}


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        version = values["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: not a file of this program ({error})") from error
    if version != FORMAT:
        raise InputError(f"{path}: format {version} cannot be read; this program reads {FORMAT}")
    return values


def _earlier(begun: dict[str, Any]) -> str:
    """The models that a run goes back to, the latest first."""
    made = f", {begun['updates']:,} updates old" if begun["updates"] else ""
    told = f"`{begun['name']}`{made} (fingerprint `{begun['fingerprint']}`)"
    return f"{told}, which had begun with those of {_earlier(begun['began_with'])}" if begun.get("began_with") else told


def _seen(training: dict[str, Any], target: str) -> str:
    """What a model knows, in words that hold for the text it learned from."""
    files = [file["sha256"] for file in training.get("files", [])]
    if files and all(file in KNOWN for file in files):
        return SEEN.format(target=target)
    if not training:
        return SEEN_OTHERS.format(pairs="the text it was trained on")
    pairs, median = training["pairs"]["for training"], training["source_tokens"]["median"]
    return SEEN_OTHERS.format(pairs=f"{pairs:,} sentence pairs, half of them of up to {median} source tokens,")


def _network(config: dict[str, Any], scores: Mapping[str, Any]) -> str:
    rows = [[name.replace("_", " "), json.dumps(value).strip('"')] for name, value in config.items()]
    if scores:
        parameters, size = _size(scores_record.model(scores))
        rows += [["parameters", parameters], ["weights file", size]]
        rows += [["fingerprint", f"`{scores_record.model(scores)['fingerprint']}`"]]
    return table(["entry", "value"], rows)


def _training(training: dict[str, Any], rows: list[dict[str, str]]) -> str:
    parts = []
    if training:
        counts = ", ".join(f"{count:,} {part}" for part, count in training["pairs"].items())
        versions = ", ".join(f"{name} {version}" for name, version in training["versions"].items())
        parts.append(f"```\n{training['command']}\n```\n\nSentence pairs: {counts}. Computed with {versions}.")
    if training.get("began_with"):
        parts.append(f"It began with the parameters of {_earlier(training['began_with'])}.")
    epoch = training.get("epoch", {})
    if len(epoch) > 1:
        shares = [[origin, f"{count:,}", f"{count / sum(epoch.values()):.1%}"] for origin, count in epoch.items()]
        parts.append(
            f"The first epoch read so many pairs, text and generated:\n\n{table(['pairs', 'count', 'share'], shares)}"
        )
    if rows:
        last = rows[-1]
        hours, perplexity = float(last["seconds"]) / 3600, math.exp(float(last["validation_loss"]))
        parts.append(
            f"{int(last['update']):,} updates, {int(last['tokens']):,} tokens, {hours:.1f} hours; validation "
            f"perplexity {perplexity:.2f} per target token at the end."
        )
    return "\n\n".join(parts)


def _measured_files(scores: Mapping[str, Any]) -> list[dict[str, str]]:
    parts = [*scores_record.tests(scores).values(), scores_record.alignments(scores)]
    return [file for part in parts for file in part.get("files", [])]


def _size(model: Mapping[str, Any]) -> tuple[str, str]:
    parameters, size = model["parameters"], model["bytes"]
    if parameters < MANY:
        return f"{parameters:,}", f"{size / 1e3:.0f} kB"
    return f"{parameters / 1e6:.1f} M", f"{size / 1e6:.1f} MB"


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text else ""
