"""A sentence that grows: a clause a line, and at each line the sentence that the lines so far make."""

from collections.abc import Sequence

from regard.model.words import normalise

MOST = 16  # lines
LONGEST_TEXT = 1200  # characters of all lines
ENDS = ".!?… "  # what may close a sentence

CLAUSES: dict[tuple[str, str], tuple[str, ...]] = {
    ("en", "fr"): (
        "There is a boy.",
        "who is wearing a blue shirt",
        "and playing football",
        "with his friends",
        "in the park",
        "while a girl is reading a book",
        "under a big tree",
        "and an old man is talking to a woman",
        "in a red dress",
        "who has two small dogs",
        "because it is a beautiful day",
    )
}
SHOWN_AT_FIRST = 9  # lines


def lines(text: str) -> list[str]:
    """The clauses of a text field, in normal form; what has no letter is none, and what is too much is left out."""
    clauses = [normalise(line) for line in text[:LONGEST_TEXT].splitlines()]
    return [clause for clause in clauses if any(map(str.isalnum, clause))][:MOST]


def grow(clauses: Sequence[str]) -> list[str]:
    """The sentence after each clause. The first one's full stop, `!` or `?` moves to the end of the sentence.

    One without gets a full stop, but not where the first clause has no letter, as in a sequence of digits.
    """
    if not clauses:
        return []
    bare = [clause.rstrip(ENDS) for clause in clauses]
    ending = clauses[0][len(bare[0]) :].strip() or "." * any(map(str.isalpha, bare[0]))
    return [" ".join(bare[: count + 1]) + ending for count in range(len(bare))]


def sentence(text: str) -> str:
    """What all lines together make; "" where there is none."""
    return grow(lines(text))[-1] if lines(text) else ""


def added(text: str, clause: str) -> str:
    return "\n".join([*lines(text), clause])


def shortened(text: str) -> str:
    """Without the last line; the first one stays."""
    return "\n".join(lines(text)[:1] + lines(text)[1:-1])


def unused(text: str, clauses: Sequence[str]) -> list[str]:
    """Clauses to add: those that are not there yet; the first opens a sentence and continues none."""
    return [clause for clause in clauses[1:] if clause not in lines(text)]


def opening(clauses: Sequence[str]) -> str:
    """What stands there before a visitor has typed anything."""
    return "\n".join(clauses[:SHOWN_AT_FIRST])


def in_threes(sequence: str) -> tuple[str, ...]:
    """A sequence of symbols, three a clause."""
    symbols = sequence.split()
    return tuple(" ".join(symbols[place : place + 3]) for place in range(0, len(symbols), 3))
