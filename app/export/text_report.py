"""Text report: one HTML file with the table of a text, whose sentences open in the stepper offline."""

from collections.abc import Iterable, Sequence
from html import escape

from regard.app.export.document import TracePage, embedded, program
from regard.app.export.page import described
from regard.app.theme import percent
from regard.model.text_report.sentence_measures import NUMBERS, SentenceMeasures, known
from regard.model.trace import AnyTrace

ROOM = 20_000_000  # characters of the stepper's data; sentences beyond them are only in the table


def text_report(
    name: str,
    rows: Sequence[SentenceMeasures],
    traces: Iterable[tuple[int, AnyTrace]],
    scores: Sequence[str],
) -> str:
    """Return the file; `traces` come with the numbers of their rows and are included while there is room;
    `scores` are lines about the whole text."""
    pages: dict[int, TracePage] = {}
    size = 0
    for number, trace in traces:
        pages[number] = described([trace])
        size += len(embedded(pages[number].data))
        if size > ROOM and len(pages) > 1:
            del pages[number]
            break
    data = {"pages": {str(number): page.data for number, page in pages.items()}}
    return TracePage(name, _header(name, rows, pages, scores), _footer(pages), data).html()


def _header(name: str, rows: Sequence[SentenceMeasures], pages: dict[int, TracePage], scores: Sequence[str]) -> str:
    sentences = [row for row in rows if row.source]
    few = f" There is room for {len(pages):,} of them." if len(pages) < len(sentences) else ""
    whole = "".join(f"<p>{escape(score)}</p>" for score in scores)
    names = known(rows)
    heads = ["No.", "Source", "Translation", *(NUMBERS[number].label for number in names), "Weakest word", "Left out"]
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    lines = "".join(f"<tr>{_cells(row, names, row.number in pages)}</tr>" for row in rows)
    return (
        f"<header><h1>{escape(name)}</h1><p>{len(sentences):,} sentences. A number opens its sentence below the table."
        f'{few}</p>{whole}<div class="rows" role="region" tabindex="0" aria-label="The sentences"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div></header>\n"
    )


def _cells(row: SentenceMeasures, names: Sequence[str], opens: bool) -> str:
    number = f'<a href="#sentence={row.number}">{row.number}</a>' if opens else f"{row.number}"
    texts = (row.source, row.translation, *(_number(row, name) for name in names), row.weakest_word)
    cells = (*texts, ", ".join(row.left_out))
    return f'<th scope="row">{number}</th>' + "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in cells)


def _number(row: SentenceMeasures, name: str) -> str:
    value = getattr(row, name)
    if value is None:
        return ""
    return percent(value) if NUMBERS[name].share else f"{value:.{NUMBERS[name].decimals}f}"


def _footer(pages: dict[int, TracePage]) -> str:
    made = next((page.footer for page in pages.values()), "")
    return made or f"<footer><p>Made by {program()}.</p></footer>\n"
