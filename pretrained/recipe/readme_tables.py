"""README tables: a row for each shipped model, from its scores, between two markers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from regard.model.cards.card import label, size
from regard.model.cards.record_files import CARD, history, read_scores, training_record
from regard.model.checkpoint import CONFIG
from regard.model.evaluation import scores_record
from regard.model.evaluation.scores_record import LINKED
from regard.model.files import write_file
from regard.model.input_error import InputError
from regard.model.transformer.checkpoint import load_config

MARKERS = "<!-- models:start -->", "<!-- models:end -->"
TASK_MARKERS = "<!-- tasks:start -->", "<!-- tasks:end -->"
READINGS = ("output", "posterior", "posterior_hmm")
BASELINES = ("diagonal", "ibm1", "eflomal_intersection")
AER = "AER: weights / posterior / with jumps"


def update_table(readme: Path, folders: Sequence[Path]) -> None:
    """Put the tables between the markers of a README. Raises InputError if the models' markers are missing or
    it is not UTF-8. Models for numbers get a separate table if the README has markers for it."""
    try:
        text = readme.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{readme}: not UTF-8 ({error.reason}); save it as UTF-8") from error
    tasks = [folder for folder in folders if scores_record.part(read_scores(folder), "task")]
    text = _between(text, MARKERS, model_table([folder for folder in folders if folder not in tasks]))
    if not text:
        raise InputError(f"{readme}: it has no line {MARKERS[0]} with a line {MARKERS[1]} after it")
    write_file(readme, _between(text, TASK_MARKERS, task_rows(tasks)) or text)


def model_table(folders: Sequence[Path]) -> str:
    """Return a row per model with BLEU of greedy decoding, then of beam search; below it, the baselines."""
    scored = [(folder, read_scores(folder)) for folder in folders]
    tests = list(dict.fromkeys(name for _, scores in scored for name in scores_record.part(scores, "tests")))
    bleu = [f"BLEU {label(test)}" for test in tests]
    heads = ["model", "score", "wiring", "cell", "parameters", "size", "updates", "ms per sentence", "typed first"]
    heads += [*bleu, AER]
    rows = []
    for folder, scores in scored:
        config = asdict(load_config(folder / CONFIG))
        per_test = [scores_record.searches(scores, test).values() for test in tests]
        rows.append(
            [
                f"[{folder.name}](pretrained/{folder.name}/{CARD})",
                *_kind(config),
                *size(scores["model"]).values(),
                _updates(folder),
                f"{speed['milliseconds_a_sentence']:.0f}" if (speed := scores_record.part(scores, "speed")) else "",
                _typed(scores),
                *(" / ".join(f"{one['bleu']['score']:.1f}" for one in searches) for searches in per_test),
                _error_rates(scores),
            ]
        )
    return f"{_table(heads, rows)}\n\n{_baselines([scores for _, scores in scored])}".strip()


def task_rows(folders: Sequence[Path]) -> str:
    """Return a row per model of a task of numbers."""
    heads = ["model", "task", "score", "cell", "parameters", "size", "longest trained on", "exact"]
    rows = []
    for folder in folders:
        scores = read_scores(folder)
        config = asdict(load_config(folder / CONFIG))
        task = scores_record.part(scores, "task")
        rows.append(
            [
                f"[{folder.name}](pretrained/{folder.name}/{CARD})",
                task["name"],
                *_kind(config)[::2],
                *size(scores["model"]).values(),
                str(task["lengths"][1]),
                f"{task['exact']['share']:.1%}",
            ]
        )
    return _table(heads, rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads), *rows])


def _baselines(scored: Sequence[Mapping[str, Any]]) -> str:
    """Return the error rates of the baselines, from the first scores that have them."""
    rates: dict[str, str] = {}
    for scores in scored:
        overall = scores_record.agreement(scores)
        for name in BASELINES:
            if name in overall:
                rates.setdefault(name, f"{LINKED[name]} {overall[name]['aer']:.3f}")
    found = [rates[name] for name in BASELINES if name in rates]
    return f"AER of baselines without attention: {', '.join(found)}." if found else ""


def _updates(folder: Path) -> str:
    """Return the updates of a model's runs together."""
    rows, begun = history(folder), training_record(folder).get("began_with") or {}
    return f"{int(rows[-1]['update']) + (begun.get('updates') or 0):,}" if rows else ""


def _typed(scores: Mapping[str, Any]) -> str:
    """Return the share of the list `typed_first` that is translated acceptably."""
    typed = scores_record.part(scores, "typed_first")
    if not typed:
        return ""
    count = typed["as_read"]["all"]
    return f"{count['accepted'] / count['sentences']:.0%}"


def _error_rates(scores: Mapping[str, Any]) -> str:
    """Return alignment error rates of the weights and of the posteriors."""
    overall = scores_record.agreement(scores)
    return " / ".join(f"{overall[reading]['aer']:.3f}" for reading in READINGS if reading in overall)


def _kind(config: dict[str, Any]) -> tuple[str, str, str]:
    """Return score, wiring and cell."""
    if "heads" in config:
        return "scaled dot", "transformer", ""
    feeding = ", input feeding" if config.get("input_feeding") else ""
    return config["score"], config["wiring"] + feeding, config["cell"]


def _between(text: str, markers: tuple[str, str], inside: str) -> str:
    """Replace the text between the markers, or return "" if they are missing."""
    before, start, rest = text.partition(markers[0])
    _, end, after = rest.partition(markers[1])
    return f"{before}{start}\n{inside}\n{end}{after}" if start and end else ""
