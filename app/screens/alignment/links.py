"""Links between words beside a model's attention: people's links in whole stories, and links that visitors draw
in their own sentence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

import streamlit as st

from regard.app.components.link_grid.mount import drawn, grid
from regard.app.figures.heatmap import link_map
from regard.app.glossary.terms import definitions
from regard.app.models.analyses import afterwards, agreements, agreements_of_heads, gold, stories
from regard.app.models.models import any_pretrained, title
from regard.app.models.registry import transforms
from regard.app.models.traces import any_trace
from regard.app.theme import percent
from regard.app.ui.plots import download, plot, subject
from regard.app.ui.widgets import segments
from regard.app.visitor.pickers import head_field
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import ask, names_on, visit
from regard.app.wording import counted, plain_markdown
from regard.model.alignment import AFTER, READ_AS, ROWS
from regard.model.input_error import InputError
from regard.model.readable import language
from regard.model.trace import AnyTrace, Trace
from regard.model.word_alignment.alignment_error_rate import (
    FILE_LANGUAGES,
    NO_LINKS,
    SCORED_WORDS,
    Agreement,
    GoldPair,
    Marks,
    pharaoh,
    read_marks,
    story,
)
from regard.model.word_alignment.from_attention import Compared, CrossHead, alignment_of, of_pair, of_words
from regard.model.words import told_apart

TITLES = {
    "ChatBotte_MasterCat": "The Master Cat",
    "LaBarbeBleue_BlueBeard": "Blue Beard",
    "LaDerniereClasse_TheLastLesson": "The Last Lesson",
}


def story_title(story: str) -> str:
    return TITLES.get(story, story)


def rate(value: float) -> str:
    """Format a rate with three decimals, as published tables do."""
    return f"{value:.3f}"


def sums(counts: Agreement) -> tuple[str, str, str]:
    """Return AER, precision and recall, each with its formula and the formula with its numbers."""
    a, s, both, some = counts.proposed, counts.sure, counts.proposed_and_sure, counts.proposed_and_possible
    error = (
        r"\mathrm{AER} &= 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|} \\"
        rf"&= 1 - \frac{{{both} + {some}}}{{{a} + {s}}} = \mathbf{{{rate(counts.error_rate)}}}"
    )
    precision = rf"\mathrm{{precision}} &= \frac{{|A \cap P|}}{{|A|}} \\ &= {_share(some, a, counts.precision)}"
    recall = rf"\mathrm{{recall}} &= \frac{{|A \cap S|}}{{|S|}} \\ &= {_share(both, s, counts.recall)}"
    return _aligned(error), _aligned(precision), _aligned(recall)


def _share(part: int, whole: int, value: float) -> str:
    return rf"\frac{{{part}}}{{{whole}}} = \mathbf{{{rate(value)}}}" if whole else r"0 \text{ (of none)}"


def _aligned(body: str) -> str:
    return rf"\begin{{aligned}} {body} \end{{aligned}}"


def verdict(compared: Compared, who: str) -> None:
    """Show the error of the pair in a sentence, and its sums; `who` drew the links."""
    counts = compared.agreement
    of_sure = f"{counts.proposed_and_sure} of {counted(counts.sure, 'sure link')} found"
    of_mine = f"{counts.proposed_and_possible} of {counted(counts.proposed, 'proposed link')} drawn by {who}"
    st.markdown(
        f"**Alignment error rate {rate(counts.error_rate)}**: {of_sure}, {of_mine}; {percent(compared.mass)} of the "
        f"{compared.what} of linked words lies on their links."
    )
    with st.container(horizontal=True, gap="large", key="sums"):
        for formula in sums(counts):
            st.latex(formula, width="content")


def differences(compared: Compared, languages: tuple[str, str], who: str) -> None:
    """List the missed and the wrong links, in words."""
    names = told_apart(compared.source), told_apart(compared.target)

    def marked(side: int, places: Iterable[int]) -> str:
        role, code = ("source-word", "target-word")[side], escape(languages[side])
        return " ".join(f'<span class="{role}" lang="{code}">{escape(names[side][place])}</span>' for place in places)

    gold = sorted(compared.gold.sure | compared.gold.possible)
    verb = "looks at" if compared.what == "attention" else "has its greatest posterior at"
    missed = [f"{marked(1, [row])} – {marked(0, [column])}" for column, row in compared.missed]
    wrong = [
        f"{marked(1, [row])} {verb} {marked(0, [column])}; {who} linked it to "
        + (marked(0, [source for source, target in gold if target == row]) or "nothing")
        for column, row in compared.wrong
    ]
    with st.container(horizontal=True, gap="large", key="differences"):
        for title, lines in (
            (f"Missed, sure links that the {compared.what} does not propose: {len(missed)}", missed),
            (f"Wrong, proposed links that {who} did not draw: {len(wrong)}", wrong),
        ):
            items = "".join(f"<li>{line}</li>" for line in lines)
            st.html(f'<div class="links-told"><p>{title}</p><ul>{items}</ul></div>')
    if compared.silent:
        silent = ", ".join(marked(1, [row]) for row in compared.silent)
        st.html(f'<p class="about">No link proposed, most {compared.what} on the end of the sentence: {silent}</p>')


ORDERS = {"told": "as told", "worst": "worst first", "best": "best first"}
OPENING = 3  # the pair that opens first: short, and in another order in French
BESIDE = 20  # up to this many source words, there is room beside a figure
LABELS = {
    "output": "weights, output word",
    "input": "weights, input word",
    AFTER: "posterior",
    "posterior-hmm": "posterior with jumps",
}
HINT = (
    "Read a step's weights as those of the word it produces, or of the word it is fed. The posterior is what the "
    "weights would be once the produced word is known; with jumps, the positions of all words are worked out together."
)


def rows_switch(choices: Sequence[str]) -> str:
    """Choose what links are read from: weights, as those of one word or the other, or the posterior."""
    if st.session_state.get("read_from") not in choices:  # chosen in the other view, which offers more
        st.session_state.pop("read_from", None)
    offered = {name: LABELS[name] for name in choices}
    return segments("Read links from", offered, ROWS[0], "read_from", HINT) or ROWS[0]  # a link may name none of them


@st.fragment
def browse(name: str, languages: tuple[str, str]) -> None:
    """Choose a story and one of its pairs, and see it; an unreadable story leaves the others."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="browse"):
        story = st.selectbox("Story", stories(), format_func=story_title, key="story", bind="query-params", width=220)
        try:
            pairs = gold(story, languages)
        except InputError as error:
            st.error(plain_markdown(str(error)))
            return
        last = len(pairs) - 1
        if "pair" in st.session_state:  # it may come from a longer story
            st.session_state.pair = min(last, max(0, st.session_state.pair or 0))
        number = st.number_input("Sentence", 0, last, min(OPENING, last), key="pair", bind="query-params", width=130)
        rows = rows_switch(ROWS if transforms(name) else list(LABELS))
        head = head_field(any_pretrained(name).config)
        order = segments("Order", ORDERS, "told", "pairs_order")
    table = st.container(gap="xxsmall", key="pairs")
    table.caption("The pairs of the story; choose a row to see its links")  # an empty container takes no space
    _pair(name, languages, pairs[number], rows, head)
    with table:
        measured = _measured(name, story, len(pairs), rows, head)
        _table("-".join(("pairs", name, story, rows, *map(str, head), order)), pairs, measured, languages, order)
        counting = [each for each, pair in zip(measured, pairs, strict=True) if pair.counts]
        error = rate(sum(counting, NO_LINKS).error_rate)
        st.caption(f"The {len(counting)} pairs of this story that count, together: AER {error}.")


def _pair(name: str, languages: tuple[str, str], pair: GoldPair, rows: str, head: CrossHead) -> None:
    source, target = (side.text for side in pair.joined(languages))
    forced = any_trace(name, source, target)
    compared = of_pair(pair, any_pretrained(name), forced, rows, head)
    st.html(
        f'<p class="pair"><span class="source-word">{escape(source)}</span><br>'
        f'<span class="target-word" lang="{languages[1]}">{escape(target)}</span></p>'
    )
    if not pair.counts:
        why = f"has more than {SCORED_WORDS} words on a side" if pair.sure else "has no sure link"
        st.caption(f"This pair {why}, so it does not count in the figures for the whole set.")
    alt = f"{compared.what.capitalize()} and people's links between the words of “{source}”"
    left, right = st.columns([3, 2]) if len(compared.source) <= BESIDE else (st.container(), st.container())
    with left:
        plot(link_map(compared), "links", alt, f"“{target}” · model {title(name)}")
    with right:
        verdict(compared, "people")
        differences(compared, languages, "people")
    definitions("aer", "precision", "recall", "mass", "rows", "posterior")


def _measured(name: str, story: str, pairs: int, rows: str, head: CrossHead) -> list[Agreement]:
    done = st.empty()
    with st.spinner(f"Feeding the {pairs} translations of the story to the model, once", show_time=True):
        if transforms(name):
            agreed = [each[rows, *head] for each in agreements_of_heads(name, story, done.progress)]
        else:
            found = agreements(name, story, rows not in ROWS, done.progress)
            agreed = [getattr(each, rows.replace("-", "_")).agreement for each in found]
    done.empty()
    return agreed


def _table(
    key: str, pairs: Sequence[GoldPair], measured: Sequence[Agreement], languages: tuple[str, str], order: str
) -> None:
    """Draw all pairs of the story with their error; choosing a row opens its pair."""
    shown = list(range(len(pairs)))
    if order != "told":
        shown.sort(key=lambda number: measured[number].error_rate, reverse=order == "worst")

    def open_pair() -> None:
        if rows := st.session_state[key]["selection"]["rows"]:
            st.session_state.pair = shown[rows[0]]

    st.session_state[key] = {"selection": {"rows": [shown.index(st.session_state.pair)], "columns": [], "cells": []}}
    source, target = map(language, languages)
    st.dataframe(
        {
            "no.": shown,
            "AER": [measured[number].error_rate for number in shown],
            source: [pairs[number].source for number in shown],
            target: [pairs[number].target for number in shown],
            "counted": [pairs[number].counts for number in shown],
        },
        hide_index=True,
        height=265,
        key=key,
        on_select=open_pair,
        selection_mode="single-row",
        column_config={
            "no.": st.column_config.NumberColumn(width=40),
            "AER": st.column_config.ProgressColumn(min_value=0, max_value=1, format="%.3f", width=140),
            **{name: st.column_config.TextColumn(width=420) for name in (source, target)},
            "counted": st.column_config.CheckboxColumn(
                width=70, help="Counts in the error rate of the whole set: the pair has a sure link and is short"
            ),
        },
        alt="The pairs of the story with their alignment error rates",
    )


LINKS_CHARACTERS = 4000  # characters of links that can be typed
REMEMBERED = 20  # pairs whose links are kept for a visitor


@st.fragment
def draw(trace: AnyTrace, question: Question) -> None:
    """Draw the grid, the marks as text, and the model's error against them."""
    languages = trace.alignment.source.language, trace.alignment.target.language
    with st.container(horizontal=True, vertical_alignment="bottom", key="draw"):
        rows = rows_switch(READ_AS if isinstance(trace, Trace) else ROWS)
        head = head_field(any_pretrained(trace.maker.name).config)
        seen = st.toggle("Show the model's attention and links", key="seen", bind="query-params")
        _keep_button(trace, question)
    st.caption(
        "Which word stands for which? Press a cell, or Enter on it: once for a sure link (square), twice for a "
        "possible one (circle), three times for none. Draw before you look: the model's attention would sway you."
    )
    left, right = st.columns([3, 2])
    above = left.container()
    with left:
        mine = _field(trace, languages)
    if rows == AFTER and isinstance(trace, Trace):
        asked = of_words(mine.sure, mine.possible, afterwards(trace).over(trace.alignment), ROWS[0])
        compared = replace(asked, reading=AFTER)
    else:
        compared = of_words(mine.sure, mine.possible, alignment_of(trace, head), rows)
    with above:
        grid(compared, mine.written(), languages=languages, seen=seen, on_draw=_take)
    with right:
        if len(mine):
            verdict(compared, "you")
            differences(compared, languages, "you")
            _downloads(compared, mine, languages)
        else:
            st.info("Nothing is linked yet. From your first link on, the model's links are measured against yours.")
    with st.expander("Save as a figure", key="mine", on_change="rerun") as figure:
        if figure.open:
            what = compared.what.capitalize()
            alt = f"{what} and your links between the words of your sentence"
            plot(link_map(compared), "my-links", alt, subject(trace))
    definitions("aer", "precision", "recall", "mass", "rows", "posterior")


def _field(trace: AnyTrace, languages: tuple[str, str]) -> Marks:
    """Return the marks from their text. Errors are shown, and the last valid marks stay; another pair has its own."""
    pair = source, target = tuple(
        side.words[: side.spoken] for side in (trace.alignment.source, trace.alignment.target)
    )
    state = st.session_state
    kept: dict[tuple[tuple[str, ...], ...], Marks] = state.setdefault("drawn_links", {})
    if state.get("drawn_pair", pair) != pair or (pair in kept and "marks" not in state):  # returned from elsewhere
        state.marks = kept.get(pair, Marks()).written()
    state.drawn_pair = pair
    first, second = map(language, languages) if languages[0] != languages[1] else ("source", "target")
    text = st.text_input(
        f"The same links as text: {first} word, then {second} word, counted from 0",
        key="marks",
        bind="query-params",
        max_chars=LINKS_CHARACTERS,
        placeholder="0-0 1p2",
        help="`0-0` is a sure link and `1p2` a possible one; the grid shows the numbers of the words.",
    )
    try:
        kept[pair] = read_marks(text, len(source), len(target))
    except InputError as error:
        kept.setdefault(pair, Marks())
        st.error(plain_markdown(f"{error}. Your last links are kept: {kept[pair].written() or 'none'}."))
    while len(kept) > REMEMBERED:
        del kept[next(iter(kept))]
    return kept[pair]


def _keep_button(trace: AnyTrace, question: Question) -> None:
    """Draw a button to keep the words, because another model might write other words."""
    if not question.given and len(names_on(visit().screen)) > 1:
        st.button(
            "Keep these words for every model",
            type="tertiary",
            on_click=ask,
            args=(question.sentence, trace.text),
            help="Your links belong to these words; another model may write other words and has its own links.",
        )


def _take() -> None:
    """Copy the drawn marks into the field, which is also in the page's link."""
    st.session_state.marks = drawn()


def _downloads(compared: Compared, marks: Marks, languages: tuple[str, str]) -> None:
    with st.container(horizontal=True, key="links-downloads"):
        if set(languages) == set(FILE_LANGUAGES):
            download(
                "Your links (ALIBI files, ZIP)",
                lambda: story(marks, compared.source, compared.target, languages),
                "regard-links.zip",
                "Three files in the form of hand-made alignments, French word first; "
                "`regard evaluate --alignments` reads the unpacked folder.",
            )
        download(
            "The model's links (Pharaoh)",
            lambda: pharaoh(compared.proposed) + "\n",
            "regard-links.pharaoh",
            "One line, such as 0-0 1-2, the source word first",
        )
