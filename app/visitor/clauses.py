"""A sentence that grows: one clause per line, and at each line the sentence made by the lines so far."""

from collections.abc import Sequence

from regard.model.words import normalise

MOST_CLAUSES = 16  # lines
LONGEST_TEXT = 1200  # characters of all lines
ENDS = ".!?… "  # marks that may close a sentence

SHOWN_AT_FIRST = 9  # lines


def lines(text: str) -> list[str]:
    """Return the clauses of a text field, in normal form; lines without a letter and excess text are dropped."""
    clauses = [normalise(line) for line in text[:LONGEST_TEXT].splitlines()]
    return [clause for clause in clauses if any(map(str.isalnum, clause))][:MOST_CLAUSES]


def left_out(text: str) -> str:
    """Say which lines `lines` drops, or ""."""
    written, read = sum(bool(line.strip()) for line in text[:LONGEST_TEXT].splitlines()), len(lines(text))
    if read == written:
        return ""
    return (
        f"Only the first {read} lines are read."
        if read == MOST_CLAUSES
        else "Lines without a letter or a digit are left out."
    )


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


def added(text: str, clause: str) -> str:
    return "\n".join([*lines(text), clause])


def shortened(text: str) -> str:
    """Drop the last line; the first one stays."""
    return "\n".join(lines(text)[:1] + lines(text)[1:-1])


def unused(text: str, clauses: Sequence[str]) -> list[str]:
    """Return the clauses not yet in the text; the first one opens a sentence and cannot be added."""
    return [clause for clause in clauses[1:] if clause not in lines(text)]


def opening(clauses: Sequence[str]) -> str:
    """Return the text to show before a visitor has typed anything."""
    return "\n".join(clauses[:SHOWN_AT_FIRST])


def in_threes(sequence: str) -> tuple[str, ...]:
    """Split a sequence of symbols into clauses of three."""
    symbols = sequence.split()
    return tuple(" ".join(symbols[place : place + 3]) for place in range(0, len(symbols), 3))
