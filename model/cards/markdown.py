"""Markdown from `scores.json`: tables, with their meaning and result. Parts not measured are empty."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.model.evaluation import scores_record

LINKED = {  # source of the links
    "output": "word produced",
    "input": "word fed in",
    "posterior": "posterior",
    "posterior_hmm": "posterior with jumps",
    "diagonal": "the diagonal",
    "ibm1": "IBM Model 1",
    "eflomal_forward": "eflomal forward",
    "eflomal_reverse": "eflomal reverse",
    "eflomal_intersection": "eflomal intersection",
    "eflomal_grow_diag_final_and": "eflomal grow-diag-final-and",
}
BASELINES = ("diagonal", "ibm1", "eflomal_intersection")
AGREEMENT = ("mass", "posterior", "posterior_hmm")  # rows explained below the table, if measured
MANY = 1_000_000  # from this many parameters on, counts are in millions
MEASURES = {"gradient_by_input": "gradient × input", "leave_one_out": "leaving one token out"}


def translations(scores: Mapping[str, Any]) -> str:
    tests = scores_record.tests(scores)
    if not tests:
        return ""
    measured = [
        (label(name), label(search), test, measure)
        for name, test in tests.items()
        for search, measure in test["searches"].items()
    ]
    lengths = [
        [name, search, "–".join(map(str, dict.fromkeys(row["words"]))), f"{row['pairs']:,}", _with_interval(row)]
        for name, search, _, measure in measured
        for row in measure["by_length"]
    ]
    how = scores_record.part(scores, "how")
    signatures = {
        f"{metric} `{measure[metric]['signature']}`" for *_, measure in measured for metric in ("bleu", "chrf")
    }
    interval = f" 95% interval: {how['interval']}." if "interval" in how else ""
    beam = f" Beam: {how['beam']}." if "beam" in how else ""
    return paragraphs(
        _searches(tests),
        f"Computed by sacrebleu: {'; '.join(sorted(signatures))}. {sentence(how['text'])} "
        f"Held-out: {how['held_out']}.{beam}",
        f"By sentence length ({how['lengths']}).{interval}",
        table(["test", "search", "words", "pairs", "BLEU"], lengths),
        _by_width(scores),
        _speed(scores),
    )


def _searches(tests: Mapping[str, Any]) -> str:
    """Return a row for each search of each test."""
    heads = ["test", "search", "pairs", "BLEU", "chrF", "perplexity", "seconds"]
    rows = [
        [label(name), label(search), f"{test['pairs']:,}"]
        + [f"{measure['bleu']['score']:.1f}", f"{measure['chrf']['score']:.1f}"]
        + [f"{test['perplexity']:.2f}", f"{measure['seconds']:.0f}"]
        for name, test in tests.items()
        for search, measure in test["searches"].items()
    ]
    return table(heads, rows) if rows else ""


def summary(scores: Mapping[str, Any]) -> str:
    """Return the main results as tables for a terminal: tests, lists of sentences, alignments, speed, a task."""
    overall = scores_record.agreement(scores)
    links = [[phrase, *_rates(overall[row])[:3]] for row, phrase in LINKED.items() if row in overall]
    lists = [
        [name.replace("_", " "), *(f"{count:,}" for count in part["as_read"]["all"].values())]
        for name, part in scores.items()
        if isinstance(part, Mapping) and "as_read" in part
    ]
    task = scores_record.part(scores, "task")
    exact = [[task["name"], f"{task['exact']['sequences']:,}", f"{task['exact']['share']:.1%}"]] if task else []
    return paragraphs(
        _searches(scores_record.tests(scores)),
        table(["list", "sentences", "acceptable"], lists) if lists else "",
        table(["links from", "AER", "precision", "recall"], links) if links else "",
        table(["task", "sequences", "exact"], exact) if exact else "",
        _speed(scores),
    )


def agreement(scores: Mapping[str, Any]) -> str:
    """Return the agreement of attention and baselines with people's links."""
    measured, how = scores_record.part(scores, "alignments"), scores_record.part(scores, "how")
    if not measured:
        return ""
    rows = [
        [name, str(rates["pairs"]), phrase, *_rates(rates[row])]
        for name, rates in {**measured["stories"], "overall": measured["overall"]}.items()
        for row, phrase in LINKED.items()
        if row in rates
    ]
    overall = measured["overall"]
    first, every = (overall["weight_on_end"][name] for name in ("first_word", "all_words"))
    heads = ["story", "pairs", "links from", "AER", "precision", "recall", "weight on sure links", "on possible links"]
    return paragraphs(
        table(heads, rows),
        f"{sentence(how['aer'])} {overall['left_out']:.1%} of the pairs are left out. The diagonal links each word "
        "to the one at the same relative place. " + " ".join(sentence(how[name]) for name in AGREEMENT if name in how),
        f"Read as the word produced, the error rate of attention is {_compared(overall)}. The source's `</s>` has "
        f"{first:.1%} of the weight of first words and {every:.1%} of that of all words.",
        _trained(measured, how),
    )


def explanation(scores: Mapping[str, Any]) -> str:
    """Return the measures of attention's faithfulness."""
    measured, how = scores_record.part(scores, "attention"), scores_record.part(scores, "how")
    if not measured:
        return ""
    counterfactuals = scores_record.counterfactuals(scores)
    kinds = list(dict.fromkeys(kind for counterfactual in counterfactuals.values() for kind in counterfactual))
    kept = [
        [name, *(f"{counterfactual[kind]['kept']:.1%}" if kind in counterfactual else "" for kind in kinds)]
        for name, counterfactual in counterfactuals.items()
    ]
    counts = next(iter(counterfactuals.values()))
    heads = ["weights replaced by", *(f"{kind} ({counts[kind]['words']:,})" for kind in kinds)]
    taus = [
        [phrase, *(number(measured["tau"][name][entry], 2) for entry in ("mean", "deviation")), f"{count:,}"]
        for name, phrase in MEASURES.items()
        for count in [measured["tau"][name]["steps"]]
    ]
    spread = ", ".join(f"{name} {measured[name]:.3f} ({how[name]})" for name in ("entropy", "uncovered", "confidence"))
    return paragraphs(
        f"Greedy translations of {measured['sentences']} sentences of the {label(measured['test'])} test, "
        f"{measured['steps']:,} steps. How often the word produced stays when the weights are replaced:",
        table(heads, kept),
        f"{sentence(how['counterfactuals'])}{_more_often(counterfactuals)}",
        "How far the order of the weights agrees with other measures of a source token's importance:",
        table(["Kendall's τ with", "mean", "deviation", "steps"], taus),
        sentence(how["tau"]),
        f"Means over the sentences: {spread}.",
    )


def baseline_line(scored: Sequence[Mapping[str, Any]]) -> str:
    """Return the error rates of the baselines, from the first scores that have them."""
    overall = [rates for scores in scored if (rates := scores_record.agreement(scores))]
    rates = {
        name: overall_rates[name]["aer"]
        for overall_rates in reversed(overall)
        for name in BASELINES
        if name in overall_rates
    }
    sentences = [f"{LINKED[name]} {aer:.3f}" for name, aer in rates.items()]
    return f"AER of baselines without attention: {', '.join(sentences)}." if sentences else ""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads), *rows])


def paragraphs(*parts: str) -> str:
    """Join parts by blank lines; empty ones are left out."""
    return "\n\n".join(filter(None, parts))


def label(key: str) -> str:
    """Return the readable name of a test or a search."""
    return {"held_out": "held-out"}.get(key, key.replace("beam_", "beam "))


def _with_interval(row: dict[str, Any]) -> str:
    interval = row.get("interval")
    return f"{row['bleu']:.1f}" + (f" [{interval[0]:.1f}, {interval[1]:.1f}]" if interval else "")


def _by_width(scores: Mapping[str, Any]) -> str:
    measured = [
        (label(name), test["by_width"]) for name, test in scores_record.tests(scores).items() if "by_width" in test
    ]
    rows = [
        [name, str(row["width"]), f"{width['pairs']:,}", f"{row['bleu']:.1f}", f"{row['chrf']:.1f}"]
        for name, width in measured
        for row in width["widths"]
    ]
    how = scores_record.part(scores, "how").get("by_width", "")
    heading = f"By the width of the beam; 1 is greedy decoding ({how})."
    return paragraphs(heading, table(["test", "width", "pairs", "BLEU", "chrF"], rows)) if rows else ""


def _speed(scores: Mapping[str, Any]) -> str:
    speed = scores_record.part(scores, "speed")
    if not speed:
        return ""
    trained = speed.get("training_tokens_a_second")
    decoding = f"{speed['milliseconds_a_sentence']:.0f} ms of CPU time per sentence"
    how = f"({speed['sentences']} sentences, threads: {speed['threads']})"
    return f"{decoding} {how}" + (f"; {trained:,} training tokens per second." if trained else ".")


def _rates(values: dict[str, float]) -> list[str]:
    """Format the rates of one reading; hard links of a baseline have no weight."""
    rates = [f"{values[rate]:.3f}" for rate in ("aer", "precision", "recall")]
    return rates + [f"{values[mass]:.1%}" if mass in values else "" for mass in ("mass_on_sure", "mass_on_possible")]


def _compared(overall: Mapping[str, Any]) -> str:
    mine, differences = round(overall["output"]["aer"], 3), []  # rounded as in the table
    for name in ("diagonal", "ibm1"):
        if name in overall:
            apart = round(overall[name]["aer"], 3) - mine
            direction = "lower than" if apart > 0 else "higher than" if apart < 0 else "apart from"
            differences.append(f"{abs(apart):.3f} {direction} that of {LINKED[name]}")
    return " and ".join(differences)


def _trained(measured: Mapping[str, Any], how: Mapping[str, str]) -> str:
    ways, texts = {"ibm1": "in {iterations} iterations", "eflomal": "by `{command}` of version {version}"}, []
    for name, way in ways.items():
        if about := measured.get(name):
            learned = f"{about['pairs']:,} pairs {way.format(**about)}, {about['seconds']:.0f} seconds"
            texts.append(f"{sentence(how[name])} It learned from {learned}.")
    return " ".join(texts)


def _more_often(counterfactuals: Mapping[str, Any]) -> str:
    """Report whether function words stay more often than content words, as Moradi et al. found."""
    both = [share for share in counterfactuals.values() if {"function", "content"} <= share.keys()]
    more = sum(share["function"]["kept"] > share["content"]["kept"] for share in both)
    return f" Function words stay more often than content words with {more} of {len(both)}." if both else ""


def number(value: float | None, digits: int) -> str:
    return "undefined" if value is None else f"{value:.{digits}f}"


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def size(model: Mapping[str, Any]) -> tuple[str, str]:
    """Return a model's parameters and bytes in readable units."""
    parameters, taken = model["parameters"], model["bytes"]
    if parameters < MANY:
        return f"{parameters:,}", f"{taken / 1e3:.0f} kB"
    return f"{parameters / 1e6:.1f} M", f"{taken / 1e6:.1f} MB"
