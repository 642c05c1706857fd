"""The exercises of worksheets as questions for Moodle, in its GIFT format: https://docs.moodle.org/en/GIFT_format.

A number is right within one unit of its last digit; a word must match exactly. The mark [plain] makes Moodle read a
question's text and answers as plain text, so that it shows tokens such as </s> and typed tags.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from html import escape

from regard.app.screens.worksheet.exercises import LIFTED
from regard.model.worksheet.rounding import Products, places
from regard.model.worksheet.sheet import Worksheet

SPECIAL = re.compile(r"([~=#{}:\\])")


def gift(sheets: Sequence[Worksheet]) -> str:
    """Return all questions of all sheets, one category per sheet."""
    return "\n\n".join(
        part for sheet in sheets for part in [f"$CATEGORY: Attention by hand/Sheet {sheet.version}", *_questions(sheet)]
    )


def _questions(sheet: Worksheet) -> Iterator[str]:
    name = f"{sheet.version}, step {sheet.step + 1} of “{sheet.source}”"
    if sheet.score.lines:
        products = f"Products of the score: {_terms(sheet.score, 0, 'products')}"
        yield _number(f"{name}: score of {sheet.word}", f"{products} What is the score?", sheet.score.totals[0])
    powers = [
        f"{line.label}: {'the answer to the question about its score' if place == sheet.copied else line.given[0]}"
        for place, line in enumerate(sheet.weights.lines)
    ]
    greatest = f" Greatest: {sheet.greatest}." if sheet.greatest else ""
    rest = f" The others add {sheet.weights.rest} to the sum of powers." if sheet.weights.rest_count else ""
    for line in sheet.weights.lines:
        given = f"Scores: {'; '.join(powers)}.{greatest}{rest}"
        yield _number(f"{name}: weight of {line.label}", f"{given} What is the weight of {line.label}?", line.found[1])
    for place, component in enumerate(sheet.components):
        asks = f"What is component {component + 1} of the context?"
        given = f"Weight times annotation: {_terms(sheet.context, place, 'tokens')} {asks}"
        yield _number(f"{name}: component {component + 1} of the context", given, sheet.context.totals[place])
    for line in sheet.output.lines:
        given = f"Logit {line.given[0]}, log-normaliser {sheet.output.log_normaliser}."
        asks = f"{given} What is the probability of {line.label}?"
        yield _number(f"{name}: probability of {line.label}", asks, line.found[0])
    words = " ".join(f"={_plain(word)}" for word in sheet.reading.heaviest)
    row = zip(sheet.reading.columns, sheet.reading.cells[sheet.reading.row], strict=True)
    shares = "; ".join(f"{column} {cell}" for column, cell in row)
    asks = f"Weights in percent: {shares}. Which word has the most weight?"
    yield _question(f"{name}: reading the heatmap", asks, words)
    question, right, wrong = LIFTED
    others = " ".join(f"~{_plain(each)}" for each in wrong)
    yield _question(f"{name}: understanding", question, f"={_plain(right)} {others}")


def _terms(sums: Products, place: int, others: str) -> str:
    """Return products and labels, such as: 0.25 · 1.5 (love); ... And the sum of the `others`, if there are any."""
    listed = "; ".join(f"{line.given[0]} · {line.given[1 + place]} ({line.label})" for line in sums.lines)
    rest = f" All other {others} together: {sums.rests[place]}." if sums.rest_count else ""
    return f"{listed}.{rest}"


def _number(name: str, asks: str, answer: str) -> str:
    error = Decimal(1).scaleb(-places(answer))
    return _question(name, asks, f"#{answer}:{error:f}")


def _question(name: str, asks: str, answers: str) -> str:
    """Return a question; its name is HTML, because Moodle strips tags from names."""
    return f"::{_plain(escape(name, quote=False))}::[plain] {_plain(asks)} {{{answers}}}"


def _plain(text: str) -> str:
    """Escape characters with a meaning in GIFT, and keep the text on one line."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))
