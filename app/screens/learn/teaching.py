"""Teacher's notes: a plan for two lessons of 50 minutes, the wrong answers to expect, and the answers to *On paper*."""

from typing import NamedTuple

import streamlit as st

from regard.app.screens.learn.contents import CHAPTERS
from regard.app.screens.learn.number_format import written
from regard.app.screens.learn.paper_exercise import ASKED, WORDS, asked, working
from regard.app.ui.tables import table


class TeachingNote(NamedTuple):
    """Notes on one chapter. `expected` is the wrong option most worth discussing, `say` the reply."""

    minutes: int
    expected: str
    say: str


class LessonPlan(NamedTuple):
    """One lesson: how it opens and closes, in minutes, and the chapters between, from and to."""

    opening: tuple[int, str]
    chapters: range
    closing: tuple[int, str]


NOTES = (
    TeachingNote(
        8,
        "All, in equal parts",
        "Ask what each of the two readers has seen at the first token, and at the last.",
    ),
    TeachingNote(
        6, "No: it was read before", "Only one of the two readings came from the left. Who read the last word first?"
    ),
    TeachingNote(
        9, "I", "“Je” is written. What comes next decides, and French puts the pronoun for “you” before the verb."
    ),
    TeachingNote(
        9,
        "From 50% to 90%",
        "Ask for the difference of the two scores first: each point more is 2.718 times the weight.",
    ),
    TeachingNote(
        9, "Like the plain mean of all annotations", "A plain mean needs equal weights. Ask how equal these are."
    ),
    TeachingNote(5, "te", "“Aime” begins with a vowel. Ask what the state alone could not know: who is loved."),
    TeachingNote(
        8, "The word fed in", "A row is a step; a step has two words. Which of them it belongs to was measured."
    ),
    TeachingNote(7, "In both", "Follow the arrow that asks, and stop at the box where the fed word enters."),
    TeachingNote(
        12,
        "One third or fewer",
        "Even weights still bring in the source: compare own, even and no weights at all. Then let everybody guess the "
        "most important token from the heatmap before leaving each one out.",
    ),
    TeachingNote(
        9,
        "It follows the line to the first number, as before",
        "It counts steps, and never saw so many. Compare what it does with its own numbers and with random ones.",
    ),
    TeachingNote(7, "It keeps its numbers", "Without positions it would. Ask what is added to a word before it asks."),
)
PLANS = (
    LessonPlan(
        (2, "one sentence in Translate, stepped through without a word"), range(1, 7), (2, "what goes into a step?")
    ),
    LessonPlan(
        (3, "a row of a heatmap, read aloud"), range(7, 12), (4, "*Common errors, measured*, under Worked examples")
    ),
)
MERGED = (
    "One exercise for both lessons: open “The firefighter is brave.” in chapter 7, then switch between tokens and "
    "words in Translate, and let the class say what is added and what is averaged."
)


def notes() -> None:
    """Draw the notes, folded."""
    with st.expander("For teachers: two lessons of 50 minutes", icon=":material/school:"):
        st.markdown("\n\n".join(map(plan, range(len(PLANS)))))
        st.markdown(f"{MERGED} The prediction comes first in every chapter: let pairs agree on an option, then reveal.")
        rows = [
            {
                "Chapter": f"{number}. {CHAPTERS[number - 1].title}",
                "Minutes": str(note.minutes),
                "Expect": f"“{note.expected}”",
                "Answer": note.say,
            }
            for number, note in enumerate(NOTES, 1)
        ]
        table(rows, "Wrong answers to expect in each chapter, for “I love you.” and the first model")
        st.markdown("**Answers to *On paper***")
        for step in ASKED:
            st.markdown(answer(step))
            st.latex(working(asked(step)))


def plan(lesson: int) -> str:
    """Return the plan of a lesson, counted from 0, as Markdown."""
    (before, opening), chapters, (after, closing) = PLANS[lesson]
    each = ", ".join(f"chapter {number} ({NOTES[number - 1].minutes})" for number in chapters)
    return f"**Lesson {lesson + 1}**, minutes in brackets: {opening} ({before}), {each}, {closing} ({after})."


def answer(step: str) -> str:
    """Return the answer to the number asked for at a step, as Markdown."""
    number = written(asked(step).combined)
    of = "the first number of the context" if step == "context" else f"the {step[:-1]} of “{WORDS[ASKED[step]]}”"
    return f"{of[0].upper()}{of[1:]} is **{number}**."
