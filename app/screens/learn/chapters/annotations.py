"""Chapter 2: a list of numbers for every token, made from the whole sentence."""

import streamlit as st

from regard.app.figures.lesson import movement
from regard.app.models.traces import trace
from regard.app.screens.learn.chapter import TEXTS, Chapter, Phase, Prediction
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.ui.plots import plot
from regard.app.visitor.pickers import choose
from regard.app.visitor.suggestions import long_sequence
from regard.app.wording import plain_markdown, problem
from regard.model.analysis.claims import by_words, moved
from regard.model.trace import AnyTrace, Trace
from regard.model.words import normalise, words

INSTEAD = ("miss", "see")  # in place of a word, at first
LAST = ("me", "it")  # in place of the last word, in the question
WORD_CHARACTERS = 40  # characters of a word


def live(lesson: Subject) -> None:
    before = lesson.trace.alignment.source
    place = choose(
        "The word to change",
        range(before.spoken),
        max(range(before.spoken), key=lambda place: len(before.words[place])),
        "changed",
        lambda place: plain_markdown(before.words[place]),
    )
    st.session_state.setdefault("instead", _other(lesson, before.words[place], INSTEAD))
    typed = st.text_input(
        f"In place of “{plain_markdown(before.words[place])}”",
        key="instead",
        bind="query-params",
        max_chars=WORD_CHARACTERS,
        width=260,
    )
    after = replaced(lesson, place, typed)
    if after is None:
        st.info("Type one word, a short one if the sentence is long.")
    else:
        st.markdown(f"{plain_markdown(before.text)} → **{plain_markdown(after.alignment.source.text)}**")
        shares = moved(by_words(lesson.trace), by_words(after))
        plot(movement(before.words, shares, place), "moved", "How far the annotation of each word moved, in percent")


def replaced(lesson: Subject, place: int, word: str) -> Trace | None:
    """Return the trace with another word at this place; None if that is not exactly one word or cannot be shown."""
    source, other = lesson.trace.alignment.source, normalise(word)
    span = words(source.text, source.language)[place]
    text = f"{source.text[: span.start]}{other}{source.text[span.stop :]}"
    read = lesson.model.tokenizer.encode(text, source.language)
    if len(words(other, source.language)) != 1 or problem(source.language, read):
        return None
    after = trace(lesson.model.name, text, "")
    return after if after.alignment.source.spoken == source.spoken else None


def both(lesson: Subject) -> dict[str, AnyTrace]:
    """Return the visitor's translation, then that with another last word, by these words."""
    after = _after(lesson)
    if after is None:
        return {lesson.sentence: lesson.trace}
    last = _spoken(lesson)[-1]
    own, other = (one.alignment.source.words[last] for one in (lesson.trace, after))
    return {f"With “{own}”": lesson.trace, f"With “{other}” in its place": after}


def _spoken(lesson: Subject) -> list[int]:
    """Return the places of words that are no punctuation marks."""
    source = lesson.trace.alignment.source
    return [place for place in range(source.spoken) if source.words[place][0].isalnum()]


def _after(lesson: Subject) -> Trace | None:
    """Return the translation with another last word; None if there are not two words or it cannot be shown."""
    spoken = _spoken(lesson)
    if len(spoken) < 2:
        return None
    return replaced(lesson, spoken[-1], _other(lesson, lesson.trace.alignment.source.words[spoken[-1]], LAST))


def moves(lesson: Subject) -> Prediction | None:
    """Ask whether the annotation of the first word moves with the last word."""
    after = _after(lesson)
    if after is None:
        return None
    source, spoken = lesson.trace.alignment.source, _spoken(lesson)
    first, last = spoken[0], spoken[-1]
    other = _other(lesson, source.words[last], LAST)
    shares = moved(by_words(lesson.trace), by_words(after))
    one, changed = (plain_markdown(source.words[place]) for place in (first, last))
    right = 0 if not shares[first] else 1 if shares[first] < shares[last] else 2
    return Prediction(
        f"The last word, “{changed}”, is replaced by “{other}”. Does the annotation of the first word, “{one}”, move?",
        ("No: it was read before", f"Yes, but less than that of “{changed}”", f"Yes, as far as that of “{changed}”"),
        right,
        f"The annotation of “{one}” moves by **{percent(shares[first])}** of its size, that of “{changed}” by "
        f"{percent(shares[last])}.",
        "The reading from right to left (*read ↑*) meets the last word first and carries it along to the beginning.",
        (
            "The reading from the left has not seen the last word, but the one from the right has.",
            "",
            "What a word contributes fades with distance: annotations far from it change less.",
        )
        if right == 1
        else ("The reading from the right has seen the last word.", "Here it moves at least as far.", ""),
    )


def _other(lesson: Subject, word: str, choices: tuple[str, str]) -> str:
    """Return another word than this one: one of a model's symbols if it reads symbols, else one of the choices."""
    known = long_sequence(lesson.model.tokenizer).split()
    return next(other for other in (*known, *choices) if other.lower() != word.lower())


CHAPTER = Chapter(**TEXTS["annotations"], picture=Phase("read", both, widths=(6, 10), asked=moves), live=live, own=True)
