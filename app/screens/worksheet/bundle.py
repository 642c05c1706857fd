"""All versions of a sheet in one file: each with its answers, and the questions for Moodle."""

import io
import zipfile
from collections.abc import Sequence

from app.screens.worksheet.gift import gift
from app.screens.worksheet.sheet import document
from model.worksheet.sheet import Worksheet


def bundle(sheets: Sequence[Worksheet], model: str, addresses: Sequence[str]) -> bytes:
    """A zip; `addresses` say where each of the sheets can be made again."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for sheet, address in zip(sheets, addresses, strict=True):
            for kind, answers in (("worksheet", False), ("answers", True)):
                archive.writestr(f"{kind}-{sheet.version}.html", document(sheet, answers, model, address))
        archive.writestr("moodle.gift.txt", gift(sheets))
    return content.getvalue()
