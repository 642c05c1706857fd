"""Text files of a translated text: TSV for spreadsheets, JSON lines, and Pharaoh's word links."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields

from regard.model.archive import no_formula
from regard.model.text_report.sentence_measures import SentenceMeasures

LEFT_TO_JSON = ("links", "covered", "differences")  # omitted from TSV


def tsv(rows: Sequence[SentenceMeasures]) -> Iterator[str]:
    """Yield a line of names, then a line for each sentence, with single spaces for blanks; unknown values are empty."""
    names = [field.name for field in fields(SentenceMeasures) if field.name not in LEFT_TO_JSON]
    yield "\t".join(names) + "\n"
    for row in rows:
        yield "\t".join(_cell(getattr(row, name)) for name in names) + "\n"


def json_lines(rows: Sequence[SentenceMeasures]) -> Iterator[str]:
    """Yield one object per line and sentence, with all its measures."""
    for row in rows:
        yield json.dumps(asdict(row), ensure_ascii=False) + "\n"


def pharaoh(rows: Sequence[SentenceMeasures]) -> Iterator[str]:
    """Yield the word links of each sentence, source-target from 0, as read off the greatest weights."""
    for row in rows:
        yield " ".join(f"{source}-{target}" for source, target in row.links) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        value = ", ".join(map(str, value))
    return no_formula(" ".join(value.split())) if isinstance(value, str) else "" if value is None else f"{value}"


WRITERS = {"tsv": tsv, "jsonl": json_lines, "pharaoh": pharaoh}  # by the ending of the file's name
