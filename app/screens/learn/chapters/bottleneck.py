"""Chapter 1: one list of numbers for a whole sentence, or one for every token."""

from contextlib import suppress
from html import escape

import streamlit as st

from regard.app.figures.lesson.encoder import bottleneck
from regard.app.figures.lesson.memory import memory
from regard.app.models.models import attends, pretrained
from regard.app.models.registry import alike
from regard.app.screens.learn.chapter import Chapter, Prediction
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.ui.growing_sentence import Grown, grown
from regard.app.ui.plots import plot
from regard.app.visitor.clauses import in_threes
from regard.app.visitor.suggestions import long_sequence
from regard.model.input_error import InputError
from regard.model.trace import Trace

MORE: dict[tuple[str, str], tuple[str, ...]] = {  # clauses that go on from any sentence
    ("en", "fr"): (
        "in the park",
        "while a girl is reading a book",
        "under a big tree",
        "because it is a beautiful day",
    )
}
FIRST = 2  # of them at first
OWN = "The one list is what the model without attention is given here: the mean of its own lists of the two ends."
SUPPOSED = "The one list is what a model without attention would be given here: the mean of the lists of the two ends."
TEXT = """
A network translates in two parts. The first, the **encoder**, reads the sentence token by token; a **token** is a
word, a piece of a word or a punctuation mark. While it reads it keeps a list of numbers, its **state**, and rewrites
the list at every token. The second part, the **decoder**, writes the translation.

Early systems handed the decoder one list for the whole sentence. Four words or forty had to fit into the same few
hundred numbers, and long sentences suffered. Attention removes this bottleneck: every token leaves a list of its own,
and the decoder may look at all of them again before each word that it writes.
"""


def live(lesson: Subject) -> Prediction | None:
    names = [lesson.model.name, *_without(lesson)]
    made = _lengths(lesson, names)
    if len(made) < 2:
        return None
    place = st.select_slider(
        "Make your sentence longer",
        range(len(made)),
        min(FIRST, len(made) - 1),
        key="longer",
        bind="query-params",
        format_func=lambda count: f"{count} more {'clause' if count == 1 else 'clauses'}" if count else "as it is",
    )
    shown = made[place]
    st.html(_written(shown, len(names) > 1))
    plot(
        memory(recurrent(shown)[-1], recurrent(shown)[0], len(made[-1].traces[0].source)),
        "memory",
        "One list of numbers beside a list for every token, a colour for each number",
    )
    st.caption(OWN if len(names) > 1 else SUPPOSED)
    return _still_alike(made[0], made[-1]) if len(names) > 1 else _question(made[0], made[-1])


def _without(lesson: Subject) -> list[str]:
    """A model without attention for the same languages, if there is one."""
    for name in alike(lesson.model.name):
        if not attends(name):
            with suppress(InputError):  # one that cannot be read is told of where it is chosen
                return [pretrained(name).name]
    return []


def _lengths(lesson: Subject, names: list[str]) -> list[Grown]:
    """The sentence as it is, and with one clause more each time, as far as the page can show it."""
    tokenizer = lesson.model.tokenizer
    more = MORE.get(tokenizer.languages) or in_threes(long_sequence(tokenizer))
    return grown([lesson.sentence, *more], names)[0]


def recurrent(shown: Grown) -> tuple[Trace, ...]:
    """The translations; the lesson asks recurrent networks alone."""
    return tuple(trace for trace in shown.traces if isinstance(trace, Trace))


def _written(shown: Grown, beside: bool) -> str:
    """The sentence, what each of the two is handed, and what the models write; HTML."""
    traces = recurrent(shown)
    tokens, size = traces[0].annotations.shape
    handed = traces[-1].annotations.shape[1]
    target = traces[0].alignment.target.language
    made = [f'<p lang="{escape(target)}">{escape(one.text)}</p>' for one in traces]
    alone = made[1] if beside else ""
    return (
        f'<p class="asked">{escape(shown.sentence)}</p><div class="sides">'
        f'<div><p class="about">Without attention</p><p class="count">{handed:,} numbers</p>{alone}</div>'
        f'<div><p class="about">With attention</p><p class="count">{tokens} × {size:,} = {tokens * size:,} numbers</p>'
        f"{made[0]}</div></div>"
    )


def _still_alike(short: Grown, long: Grown) -> Prediction:
    """Whether the two models still write the same when the sentence is long."""
    share = long.alike
    right = 0 if share == 1 else 1 if share > 1 / 2 else 2
    return Prediction(
        f"The sentence is made longer, to {long.words} words. Do the model with attention and the one without still "
        "write the same then?",
        ("Yes, word for word", "More than half of the words", "Half of the words or fewer"),
        right,
        f"As the sentence is, both have **{percent(short.alike)}** of the words in common; at its longest "
        f"**{percent(share)}**. One has {recurrent(long)[-1].annotations.shape[1]:,} numbers for the whole sentence, "
        f"the other as many for each of its {len(long.traces[0].source)} tokens.",
        (
            "Here one list was enough for both lengths; try another sentence."
            if right == 0
            else "Every further word has to fit into the same list, and what no longer fits is made up."
        ),
        tuple("" if place == right else f"{'Fewer' if place < right else 'More'} do." for place in range(3)),
    )


def _question(short: Grown, long: Grown) -> Prediction:
    few, size = recurrent(short)[-1].annotations.shape
    many, each = len(long.traces[-1].source), recurrent(long)[0].annotations.shape[1]
    share, left, grows = (f"{value:,.1f}" for value in (size / few, size / many, size * many / few**2))
    return Prediction(
        f"As it is, your sentence has {few} tokens, so one list of {size:,} numbers leaves {share} numbers per token. "
        f"At its longest it has {many} tokens. How many numbers per token then?",
        (f"{share}, as before", f"{left}", f"{grows}"),
        1,
        f"{size:,} ÷ {many} = **{left}**, in place of {size:,} ÷ {few} = {share}. With attention there are {each:,} "
        "for each token at any length.",
        "The list does not grow, so each further token leaves less room for the others.",
        (
            "That would need a list that grows with the sentence; this one always has the same length.",
            "",
            "The list would have to grow faster than the sentence; it does not grow at all.",
        ),
    )


CHAPTER = Chapter(
    "The bottleneck",
    TEXT,
    bottleneck,
    "Four English words lead into one short row of cells, and four French words lead out of it",
    "Make the sentence longer and watch what each decoder is handed. Every row is a list, every colour a number.",
    live,
    own=True,
)
