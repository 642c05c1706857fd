"""Model card of a folder, written from what training and evaluation recorded."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from regard.model.cards.further_tables import doubt, head_tables, made_numbers, sentence_list
from regard.model.cards.markdown import agreement, explanation, paragraphs, size, table, translations
from regard.model.cards.record_files import CARD, SCORES_FILE, history, read_scores, training_record
from regard.model.cards.task_card import about, exactness, limits, trained
from regard.model.data.corpus import Recorded
from regard.model.evaluation import scores_record
from regard.model.files import toml_beside, write_file
from regard.model.readable import language
from regard.model.transformer.checkpoint import config_in

LIMITS = """\
- {seen}
- It reads one sentence at a time, without context, and chooses forms of address and gender by the habits of its data,
  prejudices included.
- {attention}

It is made for learning how attention works. Do not rely on its translations, least of all in medical, legal or safety
matters, and do not judge people by them."""

SEEN = """\
It has learned from {pairs}. Sentences of another kind, or longer ones,
  are translated badly, names and numbers are easily lost, and what it does not know it invents."""
LOOKING = """\
Attention shows where the decoder looked. How well it aligns words can be measured; whether it is an explanation depends
  on what is meant by one. It was trained for neither."""
NOT_LOOKING = (
    "It has no attention: the weights shown and measured for it are one half each, on the first and the last "
    "annotation, at every step."
)

SOURCES = toml_beside(__file__, "provenance.toml")  # published collections, each with licence and attribution
KNOWN = {sha256: source for source in SOURCES.values() for sha256 in source["files"]}

SENTENCE_LISTS = {
    "typed_first": "Short everyday input",
    "words_of_the_world": "Words of the world: harder sentences",
    "famous": "Famous sentences",
}


def write_card(folder: Path, results: Path | None = None) -> None:
    """Write the card of a model into the folder of its results, by default its own. Parts without a record are left
    out; a missing `config.json` is an error."""
    write_file((results or folder) / CARD, card(folder, results) + "\n")


def card(folder: Path, results: Path | None = None) -> str:
    """Return the card of a model folder, with the scores that are in `results`, by default the same folder."""
    config = asdict(config_in(folder))
    training = training_record(folder)
    scores = read_scores(results or folder) if ((results or folder) / SCORES_FILE).exists() else {}
    source, target = map(language, config["languages"])
    measured = [*scores_record.tests(scores).values(), scores_record.part(scores, "alignments")]
    files = [*training.get("files", []), *(file for part in measured for file in part.get("files", []))]
    having, attention = ("without", NOT_LOOKING) if config.get("score") == "none" else ("with", LOOKING)
    if "task" in training:
        name = scores.get("model", {}).get("name", folder.resolve().name)
        return paragraphs(
            f"# {name}\n\n{about(training['setup'], _built(config, having))}",
            _section("Scores", exactness(scores)),
            _section("Limits, and what it is not for", limits(training["setup"], attention)),
            _section("Network", _network(config, scores)),
            _section("Training", trained(training, history(folder))),
        )
    return paragraphs(
        f"# {folder.resolve().name}\n\nTranslates {source} into {target}: {_built(config, having)}, small enough "
        "that every number of a translation can be shown and recomputed. This card is generated from the records "
        "beside it.",
        _section("Scores", translations(scores)),
        *(_section(title, sentence_list(scores, name)) for name, title in SENTENCE_LISTS.items()),
        _section("Numbers", made_numbers(scores)),
        _section("Doubt", doubt(scores)),
        _section("Agreement with hand-made word alignments", agreement(scores)),
        _section("What attention is worth to the model", explanation(scores)),
        _section("Heads", head_tables(scores)),
        _section("Limits, and what it is not for", LIMITS.format(seen=_seen(training), attention=attention)),
        _section("Network", _network(config, scores)),
        _section("Training", _training(training, history(folder))),
        _section("Text, licences and attribution", "\n".join(notices(Recorded(**file) for file in files))),
    )


def _built(config: dict[str, Any], having: str) -> str:
    """Describe the network in words."""
    if "heads" not in config:
        return f"a recurrent encoder and decoder {having} attention"
    layers = f"{config['encoder_layers']} and {config['decoder_layers']} layers"
    return f"a Transformer, an encoder and a decoder of {layers} with {config['heads']} heads each"


def _earlier(begun: dict[str, Any]) -> str:
    """Name the models whose parameters a run began with, the latest first."""
    made = f", {begun['updates']:,} updates old" if begun["updates"] else ""
    told = f"`{begun['name']}`{made} (fingerprint `{begun['fingerprint']}`)"
    return f"{told}, which had begun with those of {_earlier(begun['began_with'])}" if begun.get("began_with") else told


def _seen(training: dict[str, Any]) -> str:
    """Describe the text that a model learned from."""
    if not training:
        return SEEN.format(pairs="the text it was trained on")
    pairs, median = training["pairs"]["for training"], training["source_tokens"]["median"]
    generated = ", and from pairs generated from them and from templates" if len(training.get("epoch", {})) > 1 else ""
    return SEEN.format(pairs=f"{pairs:,} sentence pairs, half of them of up to {median} source tokens{generated}")


def _network(config: dict[str, Any], scores: Mapping[str, Any]) -> str:
    rows = [[name.replace("_", " "), json.dumps(value).strip('"')] for name, value in config.items()]
    if scores:
        parameters, taken = size(scores["model"])
        rows += [["parameters", parameters], ["weights file", taken]]
        rows += [["fingerprint", f"`{scores['model']['fingerprint']}`"]]
    return table(["entry", "value"], rows)


def _training(training: dict[str, Any], rows: list[dict[str, str]]) -> str:
    parts = []
    if training:
        counts = ", ".join(f"{count:,} {part}" for part, count in training["pairs"].items())
        versions = ", ".join(f"{name} {version}" for name, version in training["versions"].items())
        parts.append(f"```\n{training['command']}\n```\n\nSentence pairs: {counts}. Computed with {versions}.")
    if training.get("note"):
        parts.append(training["note"])
    if training.get("began_with"):
        parts.append(f"It began with the parameters of {_earlier(training['began_with'])}.")
    if training.get("averaged"):
        parts.append(_mean_of(**training["averaged"]))
    epoch = training.get("epoch", {})
    if len(epoch) > 1:
        shares = [[origin, f"{count:,}", f"{count / sum(epoch.values()):.1%}"] for origin, count in epoch.items()]
        parts.append(
            f"Pairs read in the first epoch, text and generated:\n\n{table(['pairs', 'count', 'share'], shares)}"
        )
    if rows:
        last = rows[-1]
        hours, perplexity = float(last["seconds"]) / 3600, math.exp(float(last["validation_loss"]))
        planned = int(training.get("planned_updates", last["update"]))
        unfinished = planned > int(last["update"])
        ended = f" of {planned:,} planned, ended at the rate {float(last['rate']):g}" if unfinished else ""
        parts.append(
            f"{int(last['update']):,} updates{ended}, {int(last['tokens']):,} tokens, {hours:.1f} hours; validation "
            f"perplexity {perplexity:.2f} per target token at the end."
        )
    return "\n\n".join(parts)


def _mean_of(updates: list[int], models: dict[str, str]) -> str:
    saves = [f"those after update {update:,}" for update in updates]
    saves += [f"those of `{name}` (fingerprint `{fingerprint}`)" for name, fingerprint in models.items()]
    return (
        f"Its parameters are the mean of {len(saves)}: {'; '.join(saves)} (weight averaging, Vaswani et al. 2017, "
        "section 6.1; Wortsman et al. 2022)."
    )


def notices(files: Iterable[Recorded]) -> list[str]:
    """Return a Markdown item for each collection the files come from, recognised by contents rather than by name, and
    one for all unknown files."""
    names: dict[str, list[str]] = {}
    for file in files:
        source = KNOWN.get(file.sha256)
        notice = (
            f"**{source['name']}**. {source['notice']}" if source else "origin and licence not known to this program"
        )
        names.setdefault(notice, []).append(f"`{file.name}`")
    return [f"- {notice} ({', '.join(dict.fromkeys(listed))})" for notice, listed in names.items()]


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text else ""
