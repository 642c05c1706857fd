"""Chapters 1 and 2: two lists of numbers for a whole sentence, or one for every token, made from the whole sentence."""

from html import escape

import streamlit as st

from regard.app.figures.lesson import given, memory, movement
from regard.app.lesson.chapter import TEXTS, Chapter, Phase, Prediction, own
from regard.app.models.models import pretrained, title, without_attention
from regard.app.models.traces import trace
from regard.app.theme import percent
from regard.app.ui.growing_sentence import Grown, grown, in_threes
from regard.app.ui.plots import plot
from regard.app.visitor.pickers import choose
from regard.app.visitor.question import telling_step
from regard.app.visitor.suggestions import long_sequence
from regard.app.wording import counted, plain_markdown, problem
from regard.model.alignment import token_label
from regard.model.analysis.claims import by_words, moved
from regard.model.readable import PLAIN
from regard.model.trace import AnyTrace, Trace
from regard.model.words import normalise, words

MORE: dict[tuple[str, str], tuple[str, ...]] = {  # clauses that can continue any sentence
    ("en", "fr"): ("in the park", "while a girl is reading a book", "under a big tree", "because it is a beautiful day")
}
FIRST_CLAUSES = 2  # clauses added at first
ENDS = 2  # tokens whose lists make a context without attention


def lengthen(lesson: Trace) -> None:
    names = [*filter(None, (lesson.maker.name, without_attention(lesson.maker.name)))]
    tokenizer = pretrained(lesson.maker.name).tokenizer
    more = MORE.get(tokenizer.languages) or in_threes(long_sequence(tokenizer))
    made, _ = grown([lesson.alignment.source.text, *more], names)  # as far as the page can show it
    if len(made) < 2:
        return
    place = st.select_slider(
        "Make your sentence longer",
        range(len(made)),
        min(FIRST_CLAUSES, len(made) - 1),
        key="longer",
        bind="query-params",
        format_func=lambda place: _longer(made, place, tokenizer.languages[0]),
    )
    shown = made[place]
    st.html(_both_written(shown, len(names) > 1))
    plot(
        memory(_recurrent(shown)[-1], _recurrent(shown)[0], len(made[-1].traces[0].source)),
        "memory",
        "The lists of a decoder without attention above a list for every token, a colour for each number",
    )
    if len(names) < 2:
        st.caption("Without attention, a decoder here would be given the mean of the lists of the two ends.")


def _longer(made: list[Grown], place: int, code: str) -> str:
    """Say how much longer the sentence is at this place: by clauses, or by symbols if it is a sequence of them."""
    if not place:
        return "as it is"
    first, grown = (len(one.sentence.split()) for one in (made[0], made[place]))
    return counted(grown - first, "more symbol") if code == PLAIN else counted(place, "more clause")


def _alone(lesson: Trace) -> dict[str, AnyTrace]:
    """Return the translation without attention, with both lists, if there is a model for it."""
    name = without_attention(lesson.maker.name)
    return {title(name): trace(name, lesson.alignment.source.text, "")} if name else own(lesson)


def _recurrent(shown: Grown) -> tuple[Trace, ...]:
    """Return the translations; the lesson uses recurrent networks only."""
    return tuple(trace for trace in shown.traces if isinstance(trace, Trace))


def _both_written(shown: Grown, beside: bool) -> str:
    """Return the sentence, the size of what each decoder is given, and what the models write, as HTML."""
    traces = _recurrent(shown)
    tokens, size = traces[0].annotations.shape
    target = traces[0].alignment.target.language
    made = [f'<p lang="{escape(target)}">{escape(one.text)}</p>' for one in traces]
    alone = made[1] if beside else ""
    return (
        f'<p class="asked">{escape(shown.sentence)}</p><div class="sides">'
        f'<div><p class="about">Without attention</p><p class="count">{_given(traces[-1])}</p>{alone}</div>'
        f'<div><p class="about">With attention</p><p class="count">{tokens} × {size:,} = {tokens * size:,} numbers</p>'
        f"{made[0]}</div></div>"
    )


def _given(alone: Trace) -> str:
    """Return the number of numbers in the lists given to a decoder without attention, as a sum where there are two."""
    sizes = [len(values) for values in given(alone).values()]
    total = f"{sum(sizes):,} numbers"
    return f"{' + '.join(f'{size:,}' for size in sizes)} = {total}" if len(sizes) > 1 else total


def ends(lesson: Trace) -> Prediction | None:
    """Ask whose lists the picture mixes for a model without attention; None if there is none, or only two lists."""
    (shown,) = _alone(lesson).values()
    if not isinstance(shown, Trace) or shown.maker.score != "none" or len(shown.source) <= ENDS:
        return None
    step = telling_step(shown)
    written = plain_markdown(token_label(shown.target[step - 1]))
    tokens = [plain_markdown(token_label(token)) for token in shown.source]
    first, last = shown.weights[step - 1][[0, -1]]
    return Prediction(
        f"Without attention, at step {step} the decoder writes “{written}”. Which of the {len(tokens)} lists "
        "made by the encoder are mixed into its **context**, all that it gets of the sentence at this step?",
        (
            f"Those of the words that “{written}” translates",
            "All, in equal parts",
            f"Those of “{tokens[0]}” and “{tokens[-1]}” alone",
        ),
        2,
        f"**{percent(first)}** comes from “{tokens[0]}”, {percent(last)} from “{tokens[-1]}” and nothing from "
        f"between, at each of the {len(shown.target)} steps. In all, the decoder gets {_given(shown)} for the whole "
        f"sentence; with attention, {lesson.annotations.shape[1]:,} for each of its {len(tokens)} tokens.",
        "Two readers go through the sentence, and each has seen all of it only at its own end; what these two lists "
        "have lost, the decoder cannot look up.",
        (
            "To choose them is what attention does; this model cannot, so its context is the same at every step.",
            "That would be the mean of the whole sentence; this model takes only the lists of the two ends.",
            "",
        ),
        step,
    )


BOTTLENECK = Chapter(
    **TEXTS["bottleneck"], asked=ends, live=lengthen, picture=Phase("read", _alone, then=_alone), own=True
)


INSTEAD = ("miss", "see")  # in place of a word, at first
LAST_WORDS = ("me", "it")  # in place of the last word, in the question
WORD_CHARACTERS = 40  # characters of a word


def change_word(lesson: Trace) -> None:
    before = lesson.alignment.source
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
        shares = moved(by_words(lesson), by_words(after))
        plot(movement(before.words, shares, place), "moved", "How far the annotation of each word moved, in percent")


def replaced(lesson: Trace, place: int, word: str) -> Trace | None:
    """Return the trace with another word at this place; None if that is not exactly one word or cannot be shown."""
    source, other = lesson.alignment.source, normalise(word)
    span = words(source.text, source.language)[place]
    text = f"{source.text[: span.start]}{other}{source.text[span.stop :]}"
    read = pretrained(lesson.maker.name).tokenizer.encode(text, source.language)
    if len(words(other, source.language)) != 1 or problem(source.language, read):
        return None
    after = trace(lesson.maker.name, text, "")
    return after if after.alignment.source.spoken == source.spoken else None


def with_other_word(lesson: Trace) -> dict[str, AnyTrace]:
    """Return the visitor's translation, then that with another last word, by these words."""
    after = _after(lesson)
    if after is None:
        return {lesson.alignment.source.text: lesson}
    last = _spoken(lesson)[-1]
    own, other = (one.alignment.source.words[last] for one in (lesson, after))
    return {f"With “{own}”": lesson, f"With “{other}” in its place": after}


def _spoken(lesson: Trace) -> list[int]:
    """Return the places of words that are no punctuation marks."""
    source = lesson.alignment.source
    return [place for place in range(source.spoken) if source.words[place][0].isalnum()]


def _after(lesson: Trace) -> Trace | None:
    """Return the translation with another last word; None if there are not two words or it cannot be shown."""
    spoken = _spoken(lesson)
    if len(spoken) < 2:
        return None
    return replaced(lesson, spoken[-1], _other(lesson, lesson.alignment.source.words[spoken[-1]], LAST_WORDS))


def moves(lesson: Trace) -> Prediction | None:
    """Ask whether the annotation of the first word moves with the last word."""
    after = _after(lesson)
    if after is None:
        return None
    source, spoken = lesson.alignment.source, _spoken(lesson)
    first, last = spoken[0], spoken[-1]
    other = _other(lesson, source.words[last], LAST_WORDS)
    shares = moved(by_words(lesson), by_words(after))
    one, changed = (plain_markdown(source.words[place]) for place in (first, last))
    right = 0 if not shares[first] else 1 if shares[first] < shares[last] else 2
    return Prediction(
        f"The last word, “{changed}”, is replaced by “{other}”. Does the annotation of the first word, “{one}”, move?",
        ("No: it was read before", f"Yes, but less than that of “{changed}”", f"Yes, as far as that of “{changed}”"),
        right,
        f"The annotation of “{one}” moves by **{percent(shares[first])}** of its length, that of “{changed}” by "
        f"{percent(shares[last])}.",
        "The reading from right to left (*read ↑*) meets the last word first and carries it along to the beginning.",
    )


def _other(lesson: Trace, word: str, choices: tuple[str, str]) -> str:
    """Return another word than this one: one of a model's symbols if it reads symbols, else one of the choices."""
    known = long_sequence(pretrained(lesson.maker.name).tokenizer).split()
    return next(other for other in (*known, *choices) if other.lower() != word.lower())


ANNOTATIONS = Chapter(
    **TEXTS["annotations"],
    asked=moves,
    live=change_word,
    picture=Phase("read", with_other_word, widths=(6, 10)),
    own=True,
)
