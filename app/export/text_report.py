"""Text report: one HTML file with the table of a text and the model, which translates the sentence that is opened."""

from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

from regard.app.export.translator.document import ReportTable, page
from regard.app.theme import percent
from regard.model.checkpoint import AnyModel
from regard.model.text_report.sentence_measures import NUMBERS, SentenceMeasures, known
from regard.model.text_report.text_measures import TextScore


def text_report(name: str, model: AnyModel, rows: Sequence[SentenceMeasures], scores: Sequence[TextScore]) -> str:
    """Return the file; `scores` are those of the whole text."""
    sentences = [row.source for row in rows if row.source]
    whole = "".join(f"<p>{escape(score.text)}</p>" for score in scores)
    names = known(rows)
    heads = ["No.", "Source", "Translation", *(NUMBERS[number].label for number in names), "Weakest word", "Left out"]
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    lines = "".join(f"<tr>{_cells(row, names)}</tr>" for row in rows)
    html = (
        f"<header><h1>{escape(name)}</h1><p>{len(sentences):,} sentences. A number opens its sentence below the table, "
        f"where the model, which is in this page, translates it again.</p>{whole}"
        '<div class="rows" role="region" tabindex="0" aria-label="The sentences"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div></header>\n"
    )
    return page([model], table=ReportTable(name, html, next(iter(sentences), "")))


def _cells(row: SentenceMeasures, names: Sequence[str]) -> str:
    address = escape(urlencode({"sentence": row.source}))
    number = f'<a href="#{address}">{row.number}</a>' if row.source else f"{row.number}"
    texts = (row.source, row.translation, *(_number(row, name) for name in names), row.weakest_word)
    cells = (*texts, ", ".join(row.left_out))
    return f'<th scope="row">{number}</th>' + "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in cells)


def _number(row: SentenceMeasures, name: str) -> str:
    value = getattr(row, name)
    if value is None:
        return ""
    return percent(value) if NUMBERS[name].share else f"{value:.{NUMBERS[name].decimals}f}"
