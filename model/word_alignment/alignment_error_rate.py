"""Alignment error rate: the agreement of proposed links with hand-made word alignments.  Och and Ney (2003),
section 5.

    precision = |A ∩ P| / |A|      recall = |A ∩ S| / |S|      AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)

A are the proposed links, S the sure ones and P the possible ones, S ⊆ P. A link is a source word and a target word,
counted from 0.

Annotation by a person has a notation:

    0-0 1p2      source word 0 and target word 0 are linked for sure, source word 1 and target word 2 possibly

The source comes first, as in the Pharaoh format, which has sure links only. Files of hand-made links (`read_story`)
have the French word first, whichever is the source.
"""

import io
import re
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple, TypeVar

from regard.model.data.corpus import read_lines
from regard.model.input_error import InputError, naming
from regard.model.word_alignment.detokenize import Joined, join

Link = tuple[int, int]
SumT = TypeVar("SumT", bound="Summable")
STORIES = Path(__file__).parent.parent / "data" / "stories"  # hand-aligned, shipped with their licence
SCORED_WORDS = 50  # words per side of a pair that is scored
FILE_LANGUAGES = ("fr", "en")  # of the first and the second index in a file of links


@dataclass(frozen=True)
class GoldPair:
    """A sentence pair whose words, separated by blanks, people have linked."""

    number: str
    source: str
    target: str
    sure: frozenset[Link]
    possible: frozenset[Link]

    @property
    def counts(self) -> bool:
        """True if the pair is scored: it has a sure link and at most 50 words on each side."""
        return bool(self.sure) and max(len(self.source.split(" ")), len(self.target.split(" "))) <= SCORED_WORDS

    def joined(self, languages: tuple[str, str]) -> tuple[Joined, Joined]:
        """Return both sides joined into ordinary text."""
        return join(self.source, languages[0]), join(self.target, languages[1])


@dataclass(frozen=True)
class Summable:
    """Measures of a sentence pair; those of several are added field by field."""

    def __add__(self: SumT, other: SumT) -> SumT:
        return type(self)(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


@dataclass(frozen=True)
class Agreement(Summable):
    """Counts of links; those of several pairs can be added."""

    proposed: int = 0
    sure: int = 0
    proposed_and_sure: int = 0
    proposed_and_possible: int = 0

    @property
    def precision(self) -> float:
        """The precision; 0 if nothing is proposed."""
        return self.proposed_and_possible / max(1, self.proposed)

    @property
    def recall(self) -> float:
        """The recall; 0 if nothing is sure."""
        return self.proposed_and_sure / max(1, self.sure)

    @property
    def error_rate(self) -> float:
        """The alignment error rate (AER): 0 for perfect links, 1 if none is proposed and none sure."""
        return 1 - (self.proposed_and_sure + self.proposed_and_possible) / max(1, self.proposed + self.sure)


NO_LINKS = Agreement()


def rates(counts: Agreement) -> dict[str, float]:
    """Return the rates to report, with four decimals."""
    measures = {"aer": counts.error_rate, "precision": counts.precision, "recall": counts.recall}
    return {name: round(rate, 4) for name, rate in measures.items()}


def agreement(proposed: Collection[Link], sure: Collection[Link], possible: Collection[Link]) -> Agreement:
    """Compare links with gold ones; every sure link also counts as possible."""
    mine, sure = set(proposed), set(sure)
    return Agreement(len(mine), len(sure), len(mine & sure), len(mine & (sure | set(possible))))


def diagonal(source_words: int, target_words: int) -> list[Link]:
    """Return the trivial baseline: link each target word to the source word at the same relative place."""
    steps = max(1, target_words - 1)
    return [(round(target * (source_words - 1) / steps), target) for target in range(target_words)]


def read_story(folder: Path, languages: tuple[str, str]) -> list[GoldPair]:
    """Read the pairs of a folder with `ali_w2w_FRENCH_ENGLISH.txt`, `FRENCH_sents.txt` and `ENGLISH_sents.txt`.
    `languages` are the model's, source first. Raises InputError naming the file and the line that is wrong."""
    if set(languages) != set(FILE_LANGUAGES):
        raise InputError(f"{folder}: its links are French-English, the model's languages are {' and '.join(languages)}")
    files = sorted(folder.glob("ali_w2w_*_*.txt"))
    if len(files) != 1:
        raise InputError(f"{folder}: {len(files)} files are called ali_w2w_*_*.txt; there must be one")
    names = files[0].stem.removeprefix("ali_w2w_").split("_", 1)
    paths = (files[0], *(folder / f"{name}_sents.txt" for name in names))
    lines, *sides = read = [_numbered(path) for path in paths]
    for path, found in zip(paths, read, strict=True):
        for number, (_, place) in (line for others in read for line in others.items()):
            if number not in found:
                raise InputError(f"{path}: no line has the number {number}, which {place} has")
    pairs = []
    for number, given in lines.items():
        source, target = (side[number].text for side in sides)
        with naming(given.place):
            marks = read_marks(given.text, len(source.split(" ")), len(target.split(" ")))
        if languages != FILE_LANGUAGES:
            source, target = target, source
            marks = Marks(
                *(frozenset((second, first) for first, second in links) for links in (marks.sure, marks.possible))
            )
        pairs.append(GoldPair(number, source, target, marks.sure, marks.sure | marks.possible))
    return pairs


class _Line(NamedTuple):
    text: str
    place: str  # file and line, from 1


def _numbered(path: Path) -> dict[str, _Line]:
    """Read a file of `number TAB text` lines."""
    lines: dict[str, _Line] = {}
    for count, line in enumerate(read_lines(path), start=1):
        number, tab, text = line.partition("\t")
        place = f"{path}, line {count}"
        if not tab or not number.isdigit():
            raise InputError(f"{place}: it does not begin with a number and a tab")
        if number in lines:
            raise InputError(f"{place}: the number {number} comes twice")
        lines[number] = _Line(re.sub(" +", " ", text.strip(" ")), place)
    return lines


FILES = ("ali_w2w_French_English.txt", "French_sents.txt", "English_sents.txt")


@dataclass(frozen=True)
class Marks:
    """Links drawn so far; a link is sure or possible, never both."""

    sure: frozenset[Link] = frozenset()
    possible: frozenset[Link] = frozenset()

    def __len__(self) -> int:
        return len(self.sure) + len(self.possible)

    def written(self, flipped: bool = False) -> str:
        """Return the links in the notation above, in the order of the source, or `flipped`, the target first."""
        signs = {**dict.fromkeys(self.possible, "p"), **dict.fromkeys(self.sure, "-")}
        turned = [((target, source) if flipped else (source, target), sign) for (source, target), sign in signs.items()]
        return " ".join(f"{first}{sign}{second}" for (first, second), sign in sorted(turned))


def read_marks(text: str, first_words: int, second_words: int) -> Marks:
    """Read links between the words of two sentences; one that is both sure and possible is sure. Raises InputError,
    with an example, for text that is not a link or a link outside the sentences."""
    links: dict[Link, bool] = {}
    for item in text.split():
        match = re.fullmatch(r"([0-9]{1,4})([-p])([0-9]{1,4})(?::[0-9.e+-]+)?", item)  # giza-py adds a probability
        if not match:
            raise InputError(f"{item[:20]!r} is not a link; write links as 0-0 (sure) or 1p2 (possible), with blanks")
        link = int(match[1]), int(match[3])
        if link[0] >= first_words or link[1] >= second_words:
            raise InputError(f"the link {item} is outside sentences of {first_words} and {second_words} words")
        links[link] = links.get(link, False) or match[2] == "-"
    sure = frozenset(link for link, certain in links.items() if certain)
    return Marks(sure, frozenset(links) - sure)


def pharaoh(links: Collection[Link]) -> str:
    """Return links in the Pharaoh format, the source first."""
    return " ".join(f"{source}-{target}" for source, target in sorted(links))


def story(marks: Marks, source: Sequence[str], target: Sequence[str], languages: tuple[str, str]) -> bytes:
    """Return a ZIP of a folder that `read_story` reads: a sentence, its translation and the marks, French first. Raises
    InputError unless the languages are French and English."""
    if set(languages) != set(FILE_LANGUAGES):
        raise InputError(f"such files hold French and English; these are {' and '.join(languages)}")
    sides = dict(zip(languages, (source, target), strict=True))
    lines = (marks.written(languages != FILE_LANGUAGES), " ".join(sides["fr"]), " ".join(sides["en"]))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, line in zip(FILES, lines, strict=True):
            archive.writestr(f"my-links/{name}", f"0\t{line}\n")
    return packed.getvalue()
