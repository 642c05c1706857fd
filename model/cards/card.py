"""Model card of a folder, written from what training and evaluation recorded.

`card.md` is its template, `task_card.md` that of a network for a task of numbers, `summary.md` the results that
`regard evaluate` prints. Parts that were not measured are left out.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, Undefined

from regard.model.cards.record_files import CARD, SCORES_FILE, history, read_scores, training_record
from regard.model.checkpoint import CONFIG
from regard.model.data.corpus import Recorded
from regard.model.evaluation import scores_record
from regard.model.evaluation.scores_record import LINKED
from regard.model.files import toml_beside, write_file
from regard.model.readable import language
from regard.model.transformer.checkpoint import load_config

LAST = {"update": int, "tokens": int, "seconds": float, "rate": float, "validation_loss": float}  # of a history
MANY = 1_000_000  # from this many parameters on, counts are in millions
SOURCES = toml_beside(__file__, "provenance.toml")  # published collections, each with licence and attribution
KNOWN = {sha256: source for source in SOURCES.values() for sha256 in source["files"]}
LOOKING = """\
Attention shows where the decoder looked. How well it aligns words can be measured; whether it is an explanation depends
  on what is meant by one. It was trained for neither."""
NOT_LOOKING = (
    "It has no attention: the weights shown and measured for it are one half each, on the first and the last "
    "annotation, at every step."
)
DOES = {  # by the task's name
    "reverse": "Reverses sequences of numbers (`2 5 9` becomes `9 5 2`)",
    "copy": "Copies sequences of numbers (`2 5 9` stays `2 5 9`)",
    "sort": "Sorts sequences of numbers (`5 9 2` becomes `2 5 9`)",
    "shift": "Shifts sequences of numbers by one (`2 5 9` becomes `5 9 2`)",
}


def write_card(folder: Path, results: Path | None = None) -> None:
    """Write the card of a model into the folder of its results, by default its own."""
    write_file((results or folder) / CARD, card(folder, results) + "\n")


def card(folder: Path, results: Path | None = None) -> str:
    """Return the card of a model folder, with the scores that are in `results`, by default the same folder. A missing
    `config.json` is an error."""
    config, training = asdict(load_config(folder / CONFIG)), training_record(folder)
    scores = read_scores(results or folder) if ((results or folder) / SCORES_FILE).exists() else {}
    rows = history(folder)
    having, attention = ("without", NOT_LOOKING) if config.get("score") == "none" else ("with", LOOKING)
    shared = {
        "config": config,
        "training": training,
        "scores": scores,
        "how": scores_record.part(scores, "how"),
        "built": _built(config, having),
        "attention": attention,
        "versions": ", ".join(f"{name} {version}" for name, version in training.get("versions", {}).items()),
        "history": {name: kind(rows[-1][name]) for name, kind in LAST.items() if name in rows[-1]} if rows else {},
    }
    if "task" in training:
        name = scores.get("model", {}).get("name", folder.resolve().name)
        return filled("task_card.md", name=name, does=DOES[training["setup"]["task"]], **shared)
    source, target = map(language, config["languages"])
    facts = _scored(scores) | _trained(training, rows)
    measured = [*scores_record.part(scores, "tests").values(), scores_record.part(scores, "alignments")]
    files = [*training.get("files", []), *(file for part in measured for file in part.get("files", []))]
    known = notices(Recorded(**file) for file in files)
    return filled("card.md", name=folder.resolve().name, source=source, target=target, notices=known, **facts, **shared)


def summary(name: str, scores: Mapping[str, Any]) -> str:
    """Return the main results of a model as tables for a terminal."""
    return filled("summary.md", name=name, scores=scores)


def filled(template: str, **values: Any) -> str:
    """Fill in a template. Paragraphs are divided by one blank line, however many its empty parts leave."""
    text = TEMPLATES.get_template(template).render(linked=LINKED, **values)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def size(model: Mapping[str, Any]) -> dict[str, str]:
    """Return a model's parameters and bytes in readable units."""
    parameters, taken = model["parameters"], model["bytes"]
    if parameters < MANY:
        return {"parameters": f"{parameters:,}", "bytes": f"{taken / 1e3:.0f} kB"}
    return {"parameters": f"{parameters / 1e6:.1f} M", "bytes": f"{taken / 1e6:.1f} MB"}


def label(key: str) -> str:
    """Return the readable name of a test or a search."""
    return {"held_out": "held-out"}.get(key, key.replace("beam_", "beam "))


def notices(files: Iterable[Recorded]) -> list[str]:
    """Return a notice for each collection the files come from, recognised by contents rather than by name, and one for
    all unknown files."""
    names: dict[str, list[str]] = {}
    for file in files:
        source = KNOWN.get(file.sha256)
        notice = (
            f"**{source['name']}**. {source['notice']}" if source else "origin and licence not known to this program"
        )
        names.setdefault(notice, []).append(f"`{file.name}`")
    return [f"{notice} ({', '.join(dict.fromkeys(listed))})" for notice, listed in names.items()]


def _built(config: dict[str, Any], having: str) -> str:
    """Describe the network in words."""
    if "heads" not in config:
        return f"a recurrent encoder and decoder {having} attention"
    layers = f"{config['encoder_layers']} and {config['decoder_layers']} layers"
    return f"a Transformer, an encoder and a decoder of {layers} with {config['heads']} heads each"


def _scored(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the card derives from several scores at once."""
    measures = [one for test in scores_record.part(scores, "tests").values() for one in test["searches"].values()]
    counterfactuals = scores_record.part(scores, "attention").get("counterfactuals", {})
    kinds = list(dict.fromkeys(kind for kept in counterfactuals.values() for kind in kept))
    words = next(iter(counterfactuals.values()), {})
    both = [kept for kept in counterfactuals.values() if {"function", "content"} <= kept.keys()]
    overall, compared = scores_record.agreement(scores), []
    for name in ("diagonal", "ibm1"):
        if name in overall:
            apart = round(overall[name]["aer"], 3) - round(overall["output"]["aer"], 3)  # as in the table
            direction = "lower than" if apart > 0 else "higher than" if apart < 0 else "apart from"
            compared.append(f"{abs(apart):.3f} {direction} that of {LINKED[name]}")
    return {
        "signatures": sorted({f"{name} `{one[name]['signature']}`" for one in measures for name in ("bleu", "chrf")}),
        "compared": compared,
        "kinds": kinds,
        "word_kinds": [f"{kind} ({words[kind]['words']:,})" for kind in kinds],
        "both": len(both),
        "more": sum(kept["function"]["kept"] > kept["content"]["kept"] for kept in both),  # as Moradi et al. found
    }


def _trained(training: dict[str, Any], rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return what the card says of the training text and of the beginning and end of the run."""
    averaged = training.get("averaged", {"updates": [], "models": {}})
    saves = [f"those after update {update:,}" for update in averaged["updates"]]
    saves += [f"those of `{name}` (fingerprint `{fingerprint}`)" for name, fingerprint in averaged["models"].items()]
    facts: dict[str, Any] = {"saves": saves, "seen": "the text it was trained on"}
    if training:
        pairs, median = training["pairs"]["for training"], training["source_tokens"]["median"]
        generated = ", and from pairs generated from them and from templates" * (len(training.get("epoch", {})) > 1)
        facts["seen"] = f"{pairs:,} sentence pairs, half of them of up to {median} source tokens{generated}"
    if training.get("began_with"):
        facts["earlier"] = _earlier(training["began_with"])
    if rows:
        facts["planned"] = int(training.get("planned_updates", rows[-1]["update"]))
        facts["perplexity"] = math.exp(float(rows[-1]["validation_loss"]))
    return facts


def _earlier(begun: dict[str, Any]) -> str:
    """Name the models whose parameters a run began with, the latest first."""
    made = f", {begun['updates']:,} updates old" if begun["updates"] else ""
    named = f"`{begun['name']}`{made} (fingerprint `{begun['fingerprint']}`)"
    if begun.get("began_with"):
        return f"{named}, which had begun with those of {_earlier(begun['began_with'])}"
    return named


def _number(value: float | int | Undefined | None, form: str, missing: str = "undefined") -> str:
    """Format a number, or say that there is none."""
    return missing if value is None or isinstance(value, Undefined) else format(value, form)


TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), trim_blocks=True, lstrip_blocks=True)
TEMPLATES.filters |= {
    "f": _number,
    "interval": lambda ends: "–".join(f"{100 * end:.1f}" for end in ends) + "%",
    "label": label,
    "pick": lambda row, *names: tuple(row[name] for name in names),
    "plain": lambda value: json.dumps(value).strip('"'),
    "sentence": lambda text: f"{text[0].upper()}{text[1:]}.",
    "size": size,
}
