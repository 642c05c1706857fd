"""Annotation of word links by a person, and its notation.

    0-0 1p2      source word 0 and target word 0 are linked for sure, source word 1 and target word 2 possibly

Words are counted from 0, the source first, as in the Pharaoh format, which has sure links only. Files of hand-made
links (`regard.model.word_alignment.alignment_error_rate.read_story`) have the French word first, whichever is the
source.
"""

import io
import re
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from regard.model.input_error import InputError
from regard.model.word_alignment.alignment_error_rate import FILE_LANGUAGES, Link

ACCEPTED = "write links as 0-0 (sure) or 1p2 (possible) with blanks between them, the source word first"
MOST_DIGITS = 4
FILES = ("ali_w2w_French_English.txt", "French_sents.txt", "English_sents.txt")


@dataclass(frozen=True)
class Marks:
    """Links drawn so far; a link is sure or possible, never both."""

    sure: frozenset[Link] = frozenset()
    possible: frozenset[Link] = frozenset()

    def __len__(self) -> int:
        return len(self.sure) + len(self.possible)

    def written(self) -> str:
        """Return the links in the notation above, in the order of the source."""
        return _written(self, flipped=False)


def read_marks(
    text: str, source: Sequence[str], target: Sequence[str], sides: tuple[str, str] = ("source", "target")
) -> Marks:
    """Read marks between these words; a link both sure and possible is sure. `sides` names the sentences in errors.
    Raises InputError, with an example, for text that is not a link or a link outside the sentences."""
    sure, possible = set(), set()
    for item in text.split():
        match = re.fullmatch(rf"([0-9]{{1,{MOST_DIGITS}}})([-p])([0-9]{{1,{MOST_DIGITS}}})", item)
        if not match:
            raise InputError(f"“{_short(item)}” is not a link: {ACCEPTED}")
        link = int(match[1]), int(match[3])
        for index, words, side in zip(link, (source, target), sides, strict=True):
            if index >= len(words):
                reach = f"its words are 0 to {len(words) - 1}" if words else "it has no words"
                raise InputError(f"The link {item} is outside the {side} sentence: {reach}")
        (sure if match[2] == "-" else possible).add(link)
    return Marks(frozenset(sure), frozenset(possible - sure))


def pharaoh(links: Collection[Link]) -> str:
    """Return links in the Pharaoh format, the source first."""
    return " ".join(f"{source}-{target}" for source, target in sorted(links))


def story(marks: Marks, source: Sequence[str], target: Sequence[str], languages: tuple[str, str]) -> bytes:
    """Return a ZIP of a folder that `read_story` reads: a sentence, its translation and the marks, French first. Raises
    InputError unless the languages are French and English."""
    if set(languages) != set(FILE_LANGUAGES):
        raise InputError(f"such files hold French and English; these are {' and '.join(languages)}")
    sides = dict(zip(languages, (source, target), strict=True))
    lines = (_written(marks, flipped=languages != FILE_LANGUAGES), " ".join(sides["fr"]), " ".join(sides["en"]))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, line in zip(FILES, lines, strict=True):
            archive.writestr(f"my-links/{name}", f"0\t{line}\n")
    return packed.getvalue()


def _written(marks: Marks, flipped: bool) -> str:
    signs = {**dict.fromkeys(marks.possible, "p"), **dict.fromkeys(marks.sure, "-")}
    turned = [((target, source) if flipped else (source, target), sign) for (source, target), sign in signs.items()]
    return " ".join(f"{first}{sign}{second}" for (first, second), sign in sorted(turned))


def _short(item: str) -> str:
    return item if len(item) <= 20 else f"{item[:19]}…"
