"""One model on the lists of sentences with acceptable translations, and on made sentences with numbers."""

from typing import Any

from regard.model.checkpoint import AnyModel
from regard.model.commands.evaluate_test import EXAMPLES, some, written_by
from regard.model.commands.how_measured import how_measured
from regard.model.evaluation.made_numbers import SENTENCES, exact, exact_rates, made_numbers
from regard.model.evaluation.typed_first import FILES, Typed, accepted, rates, read_typed
from regard.model.truecasing import read_as

NUMBERS = "made_numbers"
HOW_LISTS = how_measured("lists", sentences=SENTENCES)


def lists(model: AnyModel, most: int | None) -> dict[str, Any]:
    """Return the results for each list and for the numbers; `most`, unless None, limits the sentences of each."""
    measured = {name: _list(model, some(read_typed(path), most), name) for name, path in FILES.items()}
    return {**measured, NUMBERS: _numbers(model, most)}


def _list(model: AnyModel, entries: list[Typed], name: str) -> dict[str, Any]:
    typed = [entry.sentence for entry in entries]
    read = [read_as(sentence, model.tokenizer.languages[0]) for sentence in typed]
    lines = written_by(model, list(dict.fromkeys([*typed, *read])), 1, name.replace("_", " "))
    rows = [
        {"typed": entry.sentence, "read": other, "greedy": lines[other]}
        for entry, other in zip(entries, read, strict=True)
    ]
    wrong = [row for entry, row in zip(entries, rows, strict=True) if not accepted(entry, row["greedy"])]
    return {
        "as_typed": rates(entries, [lines[sentence] for sentence in typed]),
        "as_read": rates(entries, [lines[sentence] for sentence in read]),
        "examples": some(rows, EXAMPLES),
        "not_accepted": some(wrong, EXAMPLES),
    }


def _numbers(model: AnyModel, most: int | None) -> dict[str, Any]:
    entries = some(made_numbers(), most)
    lines = written_by(model, list(dict.fromkeys(entry.sentence for entry in entries)), 1, "numbers")
    translations = [lines[entry.sentence] for entry in entries]
    wrong = [
        {"sentence": entry.sentence, "greedy": line}
        for entry, line in zip(entries, translations, strict=True)
        if not exact(entry, line)
    ]
    return {"rates": exact_rates(entries, translations), "not_exact": some(wrong, EXAMPLES)}
