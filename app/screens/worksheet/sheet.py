"""The worksheet, or its answer sheet, as HTML that needs nothing else."""

import io
import textwrap
import zipfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

from regard.app.export.document import page_to_print
from regard.app.screens.worksheet.exercises import tasks
from regard.app.screens.worksheet.gift import gift
from regard.app.screens.worksheet.tables import word
from regard.model.worksheet.sheet import Worksheet

FOLDER = Path(__file__).parent
STYLE, PAGE = FOLDER / "sheet.css", FOLDER / "page.css"
WIDEST = 240  # characters of a translation to print: one that repeats itself would fill the page


def document(sheet: Worksheet, answers: bool, model: str, address: str) -> str:
    """Return a whole file; `model` is the model's name, `address` opens the same sheet again."""
    style = "".join(file.read_text(encoding="utf-8") for file in (PAGE, STYLE))
    return page_to_print(_title(sheet, answers), style, body(sheet, answers, model, address))


def body(sheet: Worksheet, answers: bool, model: str, address: str) -> str:
    """Return the contents of the paper, to be styled by `STYLE`."""
    source, target = sheet.languages
    sides = f"{word(sheet.source, source)} → {word(textwrap.shorten(sheet.target, WIDEST, placeholder=' …'), target)}"
    step = f"Step {sheet.step + 1} of {sheet.steps}: the decoder is fed “{word(sheet.fed, target)}” and"
    writes = "is given" if sheet.given else "writes"
    made_by = f"{sheet.maker.name} {sheet.maker.fingerprint[:12]}"
    names = "" if answers else "<p>Name <span></span> Date <span></span></p>"
    return (
        f'<article class="sheet"><div class="head"><h1>{_title(sheet, answers)}</h1>{names}</div>'
        f"<p>{sides}</p><p>{step} {writes} “{word(sheet.produced, target)}”. All numbers are those of a trained model, "
        "given with the digits you need; round as stated in brackets, and continue with the rounded numbers.</p>"
        f"{''.join(tasks(sheet, answers))}"
        f'<p class="source">Regard, model {escape(model)} ({escape(made_by)}). This sheet again: {escape(address)}</p>'
        "</article>"
    )


def _title(sheet: Worksheet, answers: bool) -> str:
    return f"Attention by hand, {'answers to sheet' if answers else 'sheet'} {sheet.version}"


def bundle(sheets: Sequence[Worksheet], model: str, addresses: Sequence[str]) -> bytes:
    """Return all versions in one zip, each with its answers, and the questions for Moodle. `addresses` open the sheets
    again."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for sheet, address in zip(sheets, addresses, strict=True):
            for kind, answers in (("worksheet", False), ("answers", True)):
                archive.writestr(f"{kind}-{sheet.version}.html", document(sheet, answers, model, address))
        archive.writestr("moodle.gift.txt", gift(sheets))
    return content.getvalue()
