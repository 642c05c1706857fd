"""A growing sentence and each model's translation at every length, as a list that grows at its top."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from regard.app.models.traces import any_trace, unreadable
from regard.app.theme import percent
from regard.app.wording import counted
from regard.model.analysis.model_comparison import likeness, pieces
from regard.model.trace import AnyTrace
from regard.model.words import normalise

MOST_CLAUSES = 16  # lines
LONGEST_TEXT = 1200  # characters of all lines
ENDS = ".!?… "  # marks that may close a sentence

SHOWN_AT_FIRST = 9  # lines


def lines(text: str) -> list[str]:
    """Return the clauses of a text field, in normal form; lines without a letter and excess text are dropped."""
    clauses = [normalise(line) for line in text[:LONGEST_TEXT].splitlines()]
    return [clause for clause in clauses if any(map(str.isalnum, clause))][:MOST_CLAUSES]


def grow(clauses: Sequence[str]) -> list[str]:
    """Return the sentence after each clause. The first clause's full stop, `!` or `?` moves to the end. A missing one
    becomes a full stop, unless the first clause has no letter, as in a sequence of digits."""
    if not clauses:
        return []
    bare = [clause.rstrip(ENDS) for clause in clauses]
    ending = clauses[0][len(bare[0]) :].strip() or "." * any(map(str.isalpha, bare[0]))
    return [" ".join(bare[: count + 1]) + ending for count in range(len(bare))]


def sentence(text: str) -> str:
    """Return the sentence made by all lines, or ""."""
    return grow(lines(text))[-1] if lines(text) else ""


def in_threes(sequence: str) -> tuple[str, ...]:
    """Split a sequence of symbols into clauses of three."""
    symbols = sequence.split()
    return tuple(" ".join(symbols[place : place + 3]) for place in range(0, len(symbols), 3))


class Grown(NamedTuple):
    """One length: its sentence, its new clause, and a translation by each model."""

    sentence: str
    newest: str
    traces: tuple[AnyTrace, ...]

    @property
    def words(self) -> int:
        """Return the number of source words, without punctuation marks."""
        return len(self.traces[0].alignment.source.lettered)

    @property
    def alike(self) -> float:
        """Return the share of words that the first and the last model's translations have in common."""
        return likeness(self.traces[0].alignment.target, self.traces[-1].alignment.target)


def grown(clauses: Sequence[str], names: Sequence[str]) -> tuple[list[Grown], str]:
    """Return the lengths from short to long, and why they end there, or ""."""
    made: list[Grown] = []
    for clause, sentence in zip(clauses, grow(clauses), strict=True):
        if wrong := unreadable(names[0], sentence):
            return made, wrong
        made.append(Grown(sentence, clause, tuple(any_trace(name, sentence, "") for name in names)))
    return made, ""


def entries(lengths: Sequence[Grown], titles: Sequence[str]) -> str:
    """Return HTML: the longest first, the translations side by side, words of only one of them underlined."""
    items = "".join(_entry(one, titles) for one in reversed(lengths))
    return f'<div class="grown" role="region" aria-label="Translations" tabindex="0"><ol reversed>{items}</ol></div>'


def _entry(one: Grown, titles: Sequence[str]) -> str:
    alike = f" · {percent(one.alike)} of the words in common" if len(one.traces) > 1 else ""
    sides = "".join(
        f'<div><p class="about">{escape(title)} · '
        f"probability per token {percent(made.mean_probability)}"
        f"{' · stopped at the limit' if made.stop == 'limit' else ''}</p>"
        f'<p class="made" lang="{escape(made.alignment.target.language)}" dir="auto">{_written(made, others)}</p></div>'
        for title, made, others in zip(titles, one.traces, (one.traces[1:], one.traces[:1]), strict=False)
    )
    before, newest, after = one.sentence.rpartition(one.newest.rstrip(ENDS))
    return (
        f'<li><p class="asked"><span class="about">{counted(one.words, "word")}{alike}</span><br>'
        f"{escape(before)}<strong>{escape(newest)}</strong>{escape(after)}</p>"
        f'<div class="sides">{sides}</div></li>'
    )


def _written(made: AnyTrace, others: Sequence[AnyTrace]) -> str:
    """Return the translation; words that the other one lacks are marked."""
    target = made.alignment.target
    if not others:
        return escape(target.text) or "—"
    own = pieces(target, others[0].alignment.target)
    marked = (f"<mark>{escape(one.text)}</mark>" if one.kind == "other" else escape(one.text) for one in own)
    return "".join(marked) or "—"
