"""The worksheet, or its answer sheet, as HTML that needs nothing else, and its numbers as questions for Moodle."""

import io
import re
import textwrap
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from html import escape
from pathlib import Path
from string import Template

from regard.app.export.document import page_to_print
from regard.model.alignment import token_label
from regard.model.arithmetic.quantity import FORMS
from regard.model.worksheet.sheet import Worksheet, places


def table(label: str, heads: Iterable[str], rows: Iterable[str], marked: int = -1) -> str:
    """Return a table of heads and rows that are HTML. One with a marked row fills the page."""
    lines = (f"<tr{' class=marked' if place == marked else ''}>{row}</tr>" for place, row in enumerate(rows))
    names = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f'<div class="scroll{" wide" if marked >= 0 else ""}" role="region" tabindex="0" aria-label="{escape(label)}">'
        f"<table><thead><tr>{names}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def name(text: str, language: str = "") -> str:
    """Return the cell that names a row."""
    return f'<th scope="row"{_spoken(language)}>{escape(text)}</th>'


def given(*numbers: str) -> str:
    """Return cells of numbers that are printed."""
    return "".join(f"<td>{escape(minus(number))}</td>" for number in numbers)


def asked(numbers: Iterable[str], answers: bool) -> str:
    """Return cells of numbers that the reader has to find."""
    return "".join(f'<td class="asked">{escape(minus(number)) if answers else ""}</td>' for number in numbers)


def minus(number: str) -> str:
    """Return the number with a real minus sign."""
    return number.replace("-", "−", 1)


def blank(text: str, answers: bool, language: str = "") -> str:
    """Return a line to write on, or its answer."""
    return f'<span class="line"{_spoken(language)}>{escape(text) if answers else "&nbsp;"}</span>'


def word(text: str, language: str) -> str:
    """Return a word or sentence as HTML in its language."""
    return f"<strong{_spoken(language)}>{escape(text)}</strong>"


def _spoken(language: str) -> str:
    return f' lang="{escape(language)}"' if language else ""


BELOW = re.compile(r"_(?:\{([^}]*)\}|(\w))")  # subscripts in the table's formulas
UNDERSTANDING = "Add 2 to every score of exercise 2. Which weights come out, and why?"
THE_SAME = "The same: every power of e grows by the same factor, and so does their sum."
NO_SCORE = (
    "This model has no attention and computes no scores. At every step it is given the first and the last token, where "
    "its encoder's two directions end; with the same score 0 for both, they weigh the same."
)


def tasks(sheet: Worksheet, answers: bool) -> list[str]:
    """Return the exercises in order; with `answers` every blank is filled in."""
    drawn = [draw(sheet, answers) for draw in (_score, _weights, _context, _output, _reading)]
    drawn.append(("Understanding", UNDERSTANDING, f"<p>{blank(THE_SAME, answers)}</p>"))
    return [
        f"<section><h2>{number}. {title}</h2><p>{text}</p>{body}</section>"
        for number, (title, text, body) in enumerate(drawn, 1)
    ]


def _score(sheet: Worksheet, answers: bool) -> tuple[str, str, str]:
    if not sheet.score.lines:
        return "The score", NO_SCORE, ""
    quoted, row = f"“{word(sheet.word, sheet.languages[0])}”", sheet.score
    one, other, made = (
        Template(BELOW.sub(r"<sub>\1\2</sub>", part)).substitute(asking=sheet.asking + 1, word=quoted)
        for part in FORMS[sheet.form].exercise
    )
    rows = [name(line.label) + given(*line.given) + asked(line.found, answers) for line in row.lines]
    rows += [_rest(row.rest_count, "", "", row.rests[0])] if row.rest_count else []
    rows.append(name("sum: the score") + given("", "") + asked(row.totals, answers))
    text = (
        f"Score = {made}, component by component, and the products added up. Multiply "
        f"({_digits(row.lines[0].found[0])}) and add up ({_digits(row.totals[0])})."
    )
    heads = ("component j", one, other, f"{one} · {other}")
    return f"The score of {quoted}", text, table("Products of the score", heads, rows)


def _weights(sheet: Worksheet, answers: bool) -> tuple[str, str, str]:
    weights, copied, greatest = sheet.weights, sheet.copied, minus(sheet.greatest)
    power = _power("score", greatest or "greatest")
    rows = [
        _source(sheet, line.label)
        + (asked(line.given, answers) if place == copied else given(*line.given))
        + asked(line.found, answers)
        for place, line in enumerate(weights.lines)
    ]
    rows += [_rest(weights.rest_count, "", weights.rest, "")] if weights.rest_count else []
    rows.append(name("sum") + given("") + asked([weights.total], answers) + given("1"))
    copy = ""
    if copied >= 0:
        number = weights.lines[copied].given[0]
        exact = f", rounded to {_digits(number)}" if places(number) < places(sheet.score.totals[0]) else ""
        copy = f"Copy the score of “{word(sheet.word, sheet.languages[0])}” from exercise 1{exact}. "
    text = (
        f"{copy}Softmax: subtract the greatest score{f', {greatest},' if greatest else ''} from each score, raise e to "
        f"that power ({_digits(weights.lines[0].found[0])}), add up ({_digits(weights.total)}) and divide each power "
        f"by the sum ({_digits(weights.lines[0].found[1])})."
    )
    heads = ("source token", "score", power, "weight α")
    return "From scores to weights", text, table("Scores and weights", heads, rows)


def _context(sheet: Worksheet, answers: bool) -> tuple[str, str, str]:
    row, heads = sheet.context, ["source token", "weight α"]
    for component in sheet.components:
        heads += [f"h<sub>{component + 1}</sub>", f"α · h<sub>{component + 1}</sub>"]
    rows = []
    for line in row.lines:  # each component of the annotation with its product
        pairs = (
            given(one) + asked([product], answers) for one, product in zip(line.given[1:], line.found, strict=True)
        )
        rows.append(_source(sheet, line.label) + asked(line.given[:1], answers) + "".join(pairs))
    if row.rest_count:
        rows.append(_rest(row.rest_count, "", *(cell for rest in row.rests for cell in ("", rest))))
    sums = "".join(given("") + asked([total], answers) for total in row.totals)
    rows.append(name("sum: the context") + given("") + sums)
    named = " and ".join(str(component + 1) for component in sheet.components)
    text = (
        f"The context is the sum of the annotations h, each times its weight. Find its components {named}: multiply "
        f"({_digits(row.lines[0].found[0])}) and add up ({_digits(row.totals[0])}). Copy the weights from exercise 2."
    )
    return "The context", text, table("Products of the context", heads, rows)


def _output(sheet: Worksheet, answers: bool) -> tuple[str, str, str]:
    row, language = sheet.output, sheet.languages[1]
    normaliser = minus(row.log_normaliser)
    power, found, rest = _power("logit", normaliser), _digits(row.lines[0].found[0]), _digits(row.rest)
    rows = [name(line.label, language) + given(*line.given) + asked(line.found, answers) for line in row.lines]
    rows.append(name("all other tokens together") + given("") + asked([row.rest], answers))
    text = (
        f"A token's probability is {power} ({found}); {normaliser} is the logarithm of the sum of e<sup>logit</sup> "
        f"over the whole vocabulary. All probabilities add up to 1{'' if rest == found else f' (the rest: {rest})'}."
    )
    heads = ("next token", "logit", "probability")
    return "The next token", text, table("Logits and probabilities", heads, rows)


def _reading(sheet: Worksheet, answers: bool) -> tuple[str, str, str]:
    row, (source, target) = sheet.reading, sheet.languages
    heads = ["target word", *(word(column, source) for column in row.columns)]
    heads += ["others"] if row.others else []
    rows = []
    for place, (written, cells) in enumerate(zip(row.rows, row.cells, strict=True)):
        numbers = [*cells, *row.others[place : place + 1]]
        blanks = row.alone and place == row.row  # in the framed row blank if one step wrote its word
        rows.append(name(written, target) + (asked(numbers, answers) if blanks else given(*numbers)))
    weights = table("Weights between words", heads, rows, row.row)
    asks = f"“{word(row.rows[row.row], target)}”"
    words = "words have" if len(row.heaviest) > 1 else "word has"
    question = (
        f"Which source {words} the most weight in the row of {asks}, which is framed? "
        f"{blank(' and '.join(row.heaviest), answers, source)}"
    )
    own = " Fill in the framed row with your weights from exercise 2, as far as you have them." if row.alone else ""
    text = f"Weights in percent: a row for each target word, a column for each source word.{own}"
    return "Reading the heatmap", text, f"{weights}<p>{question}</p>"


def _source(sheet: Worksheet, label: str) -> str:
    return name(label if any(map(str.isalnum, label)) else f"“{label}”", sheet.languages[0])


def _rest(count: int, *cells: str) -> str:
    """Return the row of everything that the table leaves out."""
    return name(f"the other {count} together") + given(*cells)


def _power(name: str, taken: str) -> str:
    return f"e<sup>{name} + {taken[1:]}</sup>" if taken.startswith("−") else f"e<sup>{name} − {taken}</sup>"


def _digits(number: str) -> str:
    """Say how a result is to be rounded."""
    after = places(number)
    return f"{after} decimals" if after > 1 else "1 decimal" if after else "whole numbers"


def gift(sheets: Sequence[Worksheet]) -> str:
    """Return the numbers of all sheets as questions for Moodle, a category for each; right is within one unit of the
    last digit. [plain] lets Moodle show tokens such as </s>. https://docs.moodle.org/en/GIFT_format"""
    return "\n\n".join(
        part for sheet in sheets for part in [f"$CATEGORY: Attention by hand/Sheet {sheet.version}", *_questions(sheet)]
    )


def _questions(sheet: Worksheet) -> Iterator[str]:
    place, weights = f"{sheet.version}, step {sheet.step + 1} of “{sheet.trace.alignment.source.text}”", sheet.weights
    asked = [("score of " + sheet.word, sheet.score, 0, "products")] if sheet.score.lines else []
    asked += [
        (f"component {component + 1} of the context", sheet.context, number, "tokens")
        for number, component in enumerate(sheet.components)
    ]
    for what, sums, number, others in asked:
        listed = "; ".join(f"{line.given[0]} · {line.given[1 + number]} ({line.label})" for line in sums.lines)
        rest = f" All other {others} together: {sums.rests[number]}." if sums.rest_count else ""
        yield _question(f"{place}: {what}", f"{listed}.{rest} What is their sum, the {what}?", sums.totals[number])
    scores = "; ".join(
        f"{line.label}: {'the answer to the question about its score' if number == sheet.copied else line.given[0]}"
        for number, line in enumerate(weights.lines)
    )
    rest = f" The others add {weights.rest} to the sum of powers." if weights.rest_count else ""
    for line in weights.lines:
        given = f"Scores: {scores}. Greatest: {sheet.greatest or 'to be found'}.{rest}"
        yield _question(
            f"{place}: weight of {line.label}", f"{given} What is the weight of {line.label}?", line.found[1]
        )
    for line in sheet.output.lines:
        given = f"Logit {line.given[0]}, log-normaliser {sheet.output.log_normaliser}."
        yield _question(f"{place}: probability of {line.label}", f"{given} What is the probability?", line.found[0])


def _question(name: str, asks: str, answer: str) -> str:
    """Return a question; its name is HTML, because Moodle strips tags from names."""
    error = Decimal(1).scaleb(-places(answer))
    return f"::{_plain(escape(name, quote=False))}::[plain] {_plain(asks)} {{#{answer}:{error:f}}}"


def _plain(text: str) -> str:
    """Escape characters with a meaning in GIFT, and keep the text on one line."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", " ".join(text.split()))


FOLDER = Path(__file__).parent
STYLE, PAGE = FOLDER / "sheet.css", FOLDER / "page.css"
WIDEST = 240  # characters of a translation to print: one that repeats itself would fill the page


def document(sheet: Worksheet, answers: bool, model: str, address: str) -> str:
    """Return a whole file; `model` is the model's name, `address` opens the same sheet again."""
    style = "".join(file.read_text(encoding="utf-8") for file in (PAGE, STYLE))
    return page_to_print(_title(sheet, answers), style, body(sheet, answers, model, address))


def body(sheet: Worksheet, answers: bool, model: str, address: str) -> str:
    """Return the contents of the paper, to be styled by `STYLE`."""
    (source, target), trace, step = sheet.languages, sheet.trace, sheet.step
    written = textwrap.shorten(trace.alignment.target.text, WIDEST, placeholder=" …")
    fed, produced = (word(token_label(token), target) for token in (trace.alignment.fed()[step], trace.target[step]))
    writes = "is given" if trace.stop == "forced" else "writes"
    made_by = f"{trace.maker.name} {trace.maker.fingerprint[:12]}"
    names = "" if answers else "<p>Name <span></span> Date <span></span></p>"
    return (
        f'<article class="sheet"><div class="head"><h1>{_title(sheet, answers)}</h1>{names}</div>'
        f"<p>{word(trace.alignment.source.text, source)} → {word(written, target)}</p>"
        f"<p>Step {step + 1} of {len(trace.target)}: the decoder is fed “{fed}” and {writes} “{produced}”. All numbers "
        "are those of a trained model, given with the digits you need; round as stated in brackets, and continue with "
        "the rounded numbers.</p>"
        f'<div class="tasks">{"".join(tasks(sheet, answers))}</div>'
        f'<p class="source">Regard, model {escape(model)} ({escape(made_by)}). This sheet again: {escape(address)}</p>'
        "</article>"
    )


def _title(sheet: Worksheet, answers: bool) -> str:
    return f"Attention by hand, {'answers to sheet' if answers else 'sheet'} {sheet.version}"


def bundle(sheets: Sequence[Worksheet], model: str, addresses: Sequence[str]) -> bytes:
    """Return all versions in one zip, each with its answers, and the questions. `addresses` open the sheets again."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for sheet, address in zip(sheets, addresses, strict=True):
            for kind, answers in (("worksheet", False), ("answers", True)):
                archive.writestr(f"{kind}-{sheet.version}.html", document(sheet, answers, model, address))
        archive.writestr("moodle.gift.txt", gift(sheets))
    return content.getvalue()
