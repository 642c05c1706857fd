"""The model card of a folder and the README's table of models, written from what training and evaluation recorded."""

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from model.sources import Recorded, notices

FORMAT = 1  # of scores.json and training.json
SCORES, TRAINING, HISTORY, CARD = "scores.json", "training.json", "history.csv", "README.md"
MARKERS = "<!-- models:start -->", "<!-- models:end -->"
ROWS = {"output": "word produced", "input": "word fed in", "diagonal": "the diagonal"}  # what links are read from
LANGUAGES = {"en": "English", "fr": "French"}

LIMITS = """\
- It has seen short everyday sentences and image captions. Long, literary, technical or spoken language is translated
  badly, names and numbers are sometimes lost, and what it does not know it makes up, in fluent {target}.
- It reads one sentence at a time: it knows no context, and chooses forms of address and genders by habit of its data,
  prejudices included.
- Attention shows where the decoder looked. It is neither a word alignment nor an explanation.

It is made for learning how attention works. It is not for translations that anybody relies on, least of all medical,
legal or safety matters, nor for judging people."""


def read_scores(folder: Path) -> dict[str, Any]:
    """`scores.json` of a folder. Raises ValueError naming the file when it is missing or of another format version."""
    return _read(folder / SCORES)


def write_card(folder: Path) -> None:
    """Write `README.md`; parts whose record is missing are left out, an absent `config.json` is an error."""
    (folder / CARD).write_text(card(folder), encoding="utf-8")


def card(folder: Path) -> str:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    training = _read(folder / TRAINING) if (folder / TRAINING).exists() else {}
    scores = read_scores(folder) if (folder / SCORES).exists() else {}
    source, target = (LANGUAGES.get(language, language) for language in config["languages"])
    files = [*training.get("files", []), *_measured_files(scores)]
    parts = [
        f"# {folder.resolve().name}\n\nTranslates {source} into {target}: a recurrent encoder and decoder with "
        "attention, small enough that every number of a translation can be shown and recomputed. This card is "
        "generated from the records beside it.",
        _section("Scores", _scores(scores)),
        _section("Agreement with hand-made word alignments", _alignments(scores)),
        _section("Limits, and what it is not for", LIMITS.format(target=target)),
        _section("Network", _network(config, scores)),
        _section("Training", _training(training, folder / HISTORY)),
        _section("Text, licences and attribution", "\n".join(notices(Recorded(**file) for file in files))),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def model_table(folders: Sequence[Path]) -> str:
    """One row a model, greedy decoding first, beam search after it."""
    scored = [(folder, read_scores(folder)) for folder in folders]
    tests = list(dict.fromkeys(name for _, scores in scored for name in scores["tests"]))
    bleu = [f"BLEU {_name(test)}" for test in tests]
    heads = ["model", "score", "wiring", "cell", "parameters", "size", *bleu, "AER"]
    rows = []
    for folder, scores in scored:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        found = [scores["tests"].get(test, {}).get("searches", {}).values() for test in tests]
        rows.append(
            [
                f"[{folder.name}](pretrained/{folder.name}/{CARD})",
                config["score"],
                config["wiring"],
                config["cell"],
                *_size(scores["model"]),
                *(" / ".join(f"{one['bleu']['score']:.1f}" for one in searches) for searches in found),
                f"{scores['alignments']['overall']['output']['aer']:.3f}" if "alignments" in scores else "",
            ]
        )
    return _table(heads, rows)


def update_table(readme: Path, folders: Sequence[Path]) -> None:
    """Put the table between the markers of a README. Raises ValueError when they are missing."""
    text = readme.read_text(encoding="utf-8")
    before, start, rest = text.partition(MARKERS[0])
    _, end, after = rest.partition(MARKERS[1])
    if not start or not end:
        raise ValueError(f"{readme}: it has no line {MARKERS[0]} with a line {MARKERS[1]} after it")
    readme.write_text(f"{before}{start}\n{model_table(folders)}\n{end}{after}", encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        found = values["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not a file of this program ({error})") from error
    if found != FORMAT:
        raise ValueError(f"{path}: format {found} cannot be read; this program reads {FORMAT}")
    return values


def _network(config: dict[str, Any], scores: dict[str, Any]) -> str:
    rows = [[name.replace("_", " "), json.dumps(value).strip('"')] for name, value in config.items()]
    if scores:
        parameters, size = _size(scores["model"])
        rows += [["parameters", parameters], ["weights file", size]]
        rows += [["fingerprint", f"`{scores['model']['fingerprint']}`"]]
    return _table(["entry", "value"], rows)


def _training(training: dict[str, Any], history: Path) -> str:
    parts = []
    if training:
        counts = ", ".join(f"{count:,} {part}" for part, count in training["pairs"].items())
        versions = ", ".join(f"{name} {version}" for name, version in training["versions"].items())
        parts.append(f"```\n{training['command']}\n```\n\nSentence pairs: {counts}. Computed with {versions}.")
    if history.exists():
        with history.open(newline="", encoding="utf-8") as file:
            last = list(csv.DictReader(file))[-1]
        hours, perplexity = float(last["seconds"]) / 3600, math.exp(float(last["validation_loss"]))
        parts.append(
            f"{int(last['update']):,} updates, {int(last['tokens']):,} tokens, {hours:.1f} hours; validation "
            f"perplexity {perplexity:.2f} per target token at the end."
        )
    return "\n\n".join(parts)


def _scores(scores: dict[str, Any]) -> str:
    tests = scores.get("tests", {})
    if not tests:
        return ""
    measured = [
        (_name(name), _name(search), test, found)
        for name, test in tests.items()
        for search, found in test["searches"].items()
    ]
    rows = [
        [name, search, f"{test['pairs']:,}", f"{found['bleu']['score']:.1f}", f"{found['chrf']['score']:.1f}"]
        + [f"{test['perplexity']:.2f}", f"{found['seconds']:.0f}"]
        for name, search, test, found in measured
    ]
    lengths = [
        [name, search, "–".join(map(str, row["words"])), f"{row['pairs']:,}", f"{row['bleu']:.1f}"]
        for name, search, _, found in measured
        for row in found["by_length"]
    ]
    signatures = {f"{metric} `{found[metric]['signature']}`" for *_, found in measured for metric in ("bleu", "chrf")}
    parts = [
        _table(["test", "search", "pairs", "BLEU", "chrF", "perplexity", "seconds"], rows),
        f"Computed by sacrebleu: {'; '.join(sorted(signatures))}. {_sentence(scores['how']['text'])} "
        f"Held-out: {scores['how']['held_out']}. Beam: {scores['how']['beam']}.",
        f"By sentence length ({scores['how']['lengths']}):",
        _table(["test", "search", "words", "pairs", "BLEU"], lengths),
    ]
    return "\n\n".join(parts)


def _alignments(scores: dict[str, Any]) -> str:
    if "alignments" not in scores:
        return ""
    measured = scores["alignments"]
    rows = [
        [name, str(found["pairs"]), label, *(f"{found[row][rate]:.3f}" for rate in ("aer", "precision", "recall"))]
        for name, found in {**measured["stories"], "overall": measured["overall"]}.items()
        for row, label in ROWS.items()
    ]
    overall = measured["overall"]
    first, every = (overall["weight_on_end"][name] for name in ("first_word", "all_words"))
    return "\n\n".join(
        [
            _table(["story", "pairs", "links from", "AER", "precision", "recall"], rows),
            f"{_sentence(scores['how']['aer'])} That leaves out {overall['left_out']:.1%} of the pairs. The "
            "diagonal links each word to the one at the same relative place. On the source's `</s>` lie "
            f"{first:.1%} of the weight of first words and {every:.1%} of that of all words.",
        ]
    )


def _measured_files(scores: dict[str, Any]) -> list[dict[str, str]]:
    parts = [*scores.get("tests", {}).values(), scores.get("alignments", {})]
    return [file for part in parts for file in part.get("files", [])]


def _size(model: dict[str, Any]) -> tuple[str, str]:
    return f"{model['parameters'] / 1e6:.1f} M", f"{model['bytes'] / 1e6:.1f} MB"


def _name(key: str) -> str:
    return {"held_out": "held-out"}.get(key, key.replace("beam_", "beam "))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text else ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads), *rows])
