"""A text, pasted or uploaded: its sentences, plotted, filtered and in a table; the whole of it, its scores and files.

The text is translated in pieces, with the time left; finished pieces stay if the visitor leaves.
"""

from collections.abc import Sequence
from math import isnan
from time import perf_counter
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.export.text_report import text_report
from regard.app.figures.measures import plotted, scatter
from regard.app.models.models import any_pretrained, title
from regard.app.models.registry import alike_among, model_names
from regard.app.theme import CATEGORIES, component, percent
from regard.app.ui.plots import download, plot
from regard.app.ui.widgets import select, table
from regard.app.visitor.translated_text import PIECE, TranslatedText, bring, bring_example, open_row, translate_piece
from regard.app.wording import counted, plain_markdown
from regard.model.evaluation.translation_quality import SAMPLES, Difference
from regard.model.input_error import InputError
from regard.model.readable import TEXT_BYTES, language
from regard.model.text_report.sentence_measures import FILTERS, NUMBERS, SentenceMeasures, found, known, within
from regard.model.text_report.text_input import LINES, RULE, read
from regard.model.text_report.text_measures import (
    FEWEST,
    WRITERS,
    TextScore,
    bleu_by_length,
    least_covered,
    most_different,
    pairings,
    referred,
    significance,
    soft_alignment_means,
    text_scores,
    weakest_words,
    wins,
)

HEIGHT, ROW = 400, 35  # pixels of the table, at most, and of a row
TYPED = "As typed"
AXES = ("mean_probability", "chrf", "least_coverage")  # plotted first, where they are known
TEXTS = {
    "weakest_word": ("Weakest word", "the word of the translation that holds its least likely token"),
    "left_out": ("Left out", "source words that hardly any attention reached (calibrated models)"),
    "said_twice": ("Said twice", "words that translate the same source word a second time (calibrated models)"),
    "repeated": ("Twice in a row", "words of the translation that follow themselves"),
    "unknown": ("Unknown", "characters that the model reads byte by byte"),
    "differences": ("Unlike the reference", "its words → the reference's words in their place"),
}


def filtered(held: TranslatedText, rows: Sequence[SentenceMeasures], about: str) -> list[SentenceMeasures]:
    """Draw plot, filter and search, and return the rows that pass them, in the order of the text."""
    ranges = _plot(held, rows, about)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        passing = FILTERS[select("Show", list(FILTERS), "all", "text_filter", width=260)]
        asked = "a word of either side"
        text = st.text_input("Find", key="text_find", bind="query-params", max_chars=200, width=300, placeholder=asked)
        shown = [row for row in rows if passing(row) and found(row, text or "") and within(row, ranges)]
        empty = counted(sum(not row.source for row in rows), "empty line")
        also = "" if all(row.source for row in rows) else f"; the text has {empty}"
        boxed = " Double-click the plot to clear its selection." if ranges else ""
        st.html(f'<p class="about">{len(shown):,} of {counted(len(rows), "row")}{also}.{boxed}</p>')
    held.shown = tuple(row.number for row in shown)
    return shown


def _plot(held: TranslatedText, rows: Sequence[SentenceMeasures], about: str) -> dict[str, tuple[float, float]]:
    """Draw any number against any other, and return the ranges of a box drawn on it."""
    names = known(rows)
    if len(names) < 2:
        return {}
    left, right = st.columns([1, 5])
    with left:
        across = _axis("Horizontal axis", names, 0, "text_axis_across")
        up = _axis("Vertical axis", names, 1, "text_axis_up")
        colour = _axis("Colour", ["", *(name for name in names if name not in (across, up))], 0, "text_axis_colour")
    with right:
        figure = scatter(rows, across, up, colour)
        title = f"{NUMBERS[up].label} against {NUMBERS[across].label} of each sentence"
        boxes = plot(figure, "sentences", title, about, boxed=True)
        numbers = [row.number for row in plotted(rows, across, up, colour)]
        if held.row in numbers:  # ringed by a style sheet, because another figure would lose the box drawn on it
            point = f".st-key-figure-sentences .point:nth-child({numbers.index(held.row) + 1})"
            st.html(f"<style>{point} {{ stroke: {CATEGORIES[1]} !important; stroke-width: 3px !important; }}</style>")
    return {name: (min(box[side]), max(box[side])) for box in boxes[:1] for name, side in ((across, "x"), (up, "y"))}


def _axis(label: str, names: Sequence[str], place: int, key: str) -> str:
    usual = [name for name in AXES if name in names] + [name for name in names if name and name not in AXES]
    first = [*usual, ""][place]
    titles = {name: NUMBERS[name].label if name else "none" for name in names}
    return select(label, titles, first, key)


def sentences(held: TranslatedText, rows: Sequence[SentenceMeasures], languages: tuple[str, str], model: str) -> None:
    """Draw the rows; a click on a heading sorts them, and choosing a row shows it."""
    key = f"text-rows-{model}-{hash(held.shown)}"
    data: dict[str, list[Any]] = {"No.": [row.number for row in rows]}
    columns = {"No.": st.column_config.NumberColumn(width=50, pinned=True)}
    for name, texts in zip(languages, ([row.source for row in rows], [row.translation for row in rows]), strict=True):
        data[name], columns[name] = texts, st.column_config.TextColumn(width=320)
    typed = {line.number: line.source for line in held.text.lines}
    if any(typed[row.number] != row.source for row in rows):
        data[TYPED] = [typed[row.number] if typed[row.number] != row.source else "" for row in rows]
        columns[TYPED] = st.column_config.TextColumn(help="where it was read otherwise", width=320)
    for name in known(rows):
        about, values = NUMBERS[name], [getattr(row, name) for row in rows]
        form = "%.1f%%" if about.share else f"%.{about.decimals}f"
        data[about.label] = [100 * value if value is not None and about.share else value for value in values]
        columns[about.label] = st.column_config.NumberColumn(format=form, help=about.meaning, width=100)
    for name, (label, meaning) in TEXTS.items():
        data[label] = [_text(getattr(row, name)) for row in rows]
        columns[label] = st.column_config.TextColumn(help=meaning, width=150)

    def choose() -> None:
        chosen = st.session_state[key]["selection"]["rows"]
        held.row = held.shown[chosen[0]] if chosen and chosen[0] < len(held.shown) else 0

    st.dataframe(
        data,
        hide_index=True,
        height=min(HEIGHT, ROW * (1 + len(held.text.lines)) + 3),
        key=key,
        on_select=choose,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [held.shown.index(held.row)] if held.row in held.shown else []}},
        column_config=columns,
        placeholder="",
        alt="The sentences of the text with their translations and measures",
    )


def _text(value: str | tuple[str | tuple[str, str], ...]) -> str:
    if isinstance(value, str):
        return value
    return ", ".join(part if isinstance(part, str) else f"{part[0] or '∅'} → {part[1] or '∅'}" for part in value)


PASTED = 120_000  # characters of the field; a file may have more
OPEN, FIELD, FILE = "text_open", "pasted_text", "text_file"
EXPECTED = (
    "One sentence a line, or paragraphs; or {0} TAB {1}, which is taken as the reference; or both sides as words "
    "separated by spaces, then TAB and word links such as `0-0 1p2`. Up to {2:,} sentences. The text stays on this "
    "server until your visit ends, and is never in a link."
)


def inputs(model: str) -> None:
    """Draw the fields for another text, if the visitor opened them."""
    state = st.session_state
    if not state.get(OPEN):
        return
    with st.container(border=True, key="bringing"):
        names = map(language, any_pretrained(model).tokenizer.languages)
        st.caption(EXPECTED.format(*names, LINES))
        left, right = st.columns([3, 2])
        left.text_area("Text", key=FIELD, max_chars=PASTED, height=160)
        right.file_uploader("or a plain-text file", key=FILE, max_upload_size=TEXT_BYTES // 10**6)
        right.toggle("Divide paragraphs into sentences", True, key="text_split", help=f"By one rule: {RULE}.")
        with st.container(horizontal=True):
            st.button("Translate the text", on_click=_take, args=(model,), icon=":material/translate:")
            st.button("Use the example", on_click=_example, args=(model,))
            st.button("Close", on_click=state.update, args=({OPEN: False},), type="tertiary")
        if state.get("text_refused"):
            st.error(plain_markdown(state.text_refused))


def open_inputs() -> None:
    st.session_state[OPEN], st.session_state.text_refused = True, ""


def _example(model: str) -> None:
    st.session_state[OPEN] = False
    bring_example(model)


def _take(model: str) -> None:
    """Read the file, or else the field; keep the fields and say why if it cannot be read."""
    state = st.session_state
    file, pasted = state.get(FILE), state.get(FIELD) or ""
    name = (file.name[:60] or "the file") if file else "the pasted text"
    try:
        content = file.getvalue() if file else pasted.encode("utf-8", errors="replace")
        bring(name, read(content, any_pretrained(model).tokenizer.languages, bool(state.get("text_split", True))))
        state[OPEN], state.text_refused = False, ""
    except InputError as error:
        state.text_refused = f"{name[0].upper()}{name[1:]} cannot be read: {error}."


def translate_rest(held: TranslatedText, model: str, place: DeltaGenerator) -> None:
    """Translate the lines that one model has not translated yet, then redraw the page; a person may stop and go on."""
    waiting, total = held.pending(model), len(held.text.lines)
    if not waiting:
        return
    with place.container(horizontal=True, vertical_alignment="center", key="progress"):
        if not held.going:
            st.html(f'<p class="about">Stopped: {total - len(waiting):,} of {total:,} sentences are translated.</p>')
            st.button("Go on", on_click=held.resume, key="go-on")
            return
        bar = st.progress(0.0)
        st.button("Cancel", on_click=held.stop, key="cancel")
    began = perf_counter()
    for start in range(0, len(waiting), PIECE):
        bar.progress((total - len(waiting) + start) / total, _told(start, len(waiting), total, perf_counter() - began))
        translate_piece(held, model, waiting[start : start + PIECE])
    st.rerun()


def _told(done: int, waiting: int, total: int, seconds: float) -> str:
    """Say how many sentences are translated, and about how long the rest takes."""
    left = f", about {seconds / done * (waiting - done):.0f} s left" if done else ""
    return f"{total - waiting + done:,} of {total:,} sentences translated{left}"


TOO_FEW = f"fewer than {FEWEST} sentences"
ALPHA = 0.05  # p-value below which a difference is called significant
LABELS = {"tsv": "Table (TSV)", "jsonl": "All measures (JSON lines)", "pharaoh": "Word links (Pharaoh)"}
HTML = "One page with the sentences and the model; every sentence opens in the stepper without a server."


def whole(rows: Sequence[SentenceMeasures], languages: tuple[str, str]) -> None:
    """Draw the numbers of the whole text and their meaning."""
    scores = text_scores(rows)
    if scores:
        st.markdown(
            f"BLEU and chrF of the {counted(len(referred(rows)), 'sentence')} with a reference, 0 to 100, by "
            "sacrebleu. Translation and reference are in one normal form: NFC, straight apostrophes, single spaces."
        )
        _scores(rows, scores, languages)
    means = soft_alignment_means(rows)
    if means:
        deviation, out, into = map(component, means)
        st.markdown(
            "How attention is spread (Rikters, Fishel and Bojar 2017), means over all sentences; 0 is best: coverage "
            f"deviation {deviation}, dispersion over the source {out}, over the target {into}. They do not tell a good "
            "translation from a bad one: a decoder that always looks at one token scores better than one with even "
            "weights."
        )
        covered = [
            {"source word": word, "times": f"{times:,}", "mean coverage": f"{mean:.2f}", "least": f"{least:.2f}"}
            for word, times, mean, least in least_covered(rows)
        ]
        if covered:
            st.markdown("The source words that get the least attention, among those that occur more than once:")
            table(covered, "Source words with the least coverage")
    if weak := weakest_words(rows):
        named = ", ".join(f"{plain_markdown(word)} ({times})" for word, times in weak)
        st.markdown(f"Words that were most often the least likely of their translation: {named}.")


def _scores(rows: Sequence[SentenceMeasures], scores: Sequence[TextScore], languages: tuple[str, str]) -> None:
    """Draw the scores of the whole text, and BLEU by length."""
    lines = [
        {
            "score": each.name,
            "value": "undefined" if isnan(each.score) else f"{each.score:.1f}",
            "95% interval": "{:.1f} to {:.1f}".format(*each.interval) if each.interval else TOO_FEW,
            "signature": each.signature,
        }
        for each in scores
    ]
    table(lines, "Scores of the whole text")
    lengths = [
        {
            "source words": " to ".join(dict.fromkeys(map(str, row["words"]))),
            "sentences": f"{row['pairs']:,}",
            "BLEU": f"{row['bleu']:.1f}",
            "95% interval": "{:.1f} to {:.1f}".format(*row["interval"]) if row["pairs"] >= FEWEST else TOO_FEW,
        }
        for row in bleu_by_length(rows, languages)
    ]
    if len(lengths) > 1:
        table(lengths, "BLEU by length")


def two_models(held: TranslatedText, name: str) -> None:
    """Translate the text by another model too, and compare both."""
    others = [other for other in alike_among(name, model_names()) if other != name]
    if not others:
        st.info("No other model is available for these languages.")
        return
    other = st.selectbox("Compare with", others, format_func=title, key="text_other", width=320)
    translate_rest(held, other, st.empty())
    pairs = pairings(held.rows(name), held.rows(other))
    if not pairs:
        return
    if held.pending(other):
        st.markdown(f"Of the {counted(len(pairs), 'sentence')} translated by both:")
    references = len(referred([one for one, _ in pairs]))
    for metric, each in significance(pairs).items():
        st.markdown(f"{metric}: {each.first:.1f} and {each.second:.1f}; {_tested(each, references)}.")
    first, second, neither = wins(pairs)
    if first + second + neither:
        st.markdown(
            f"By chrF this model is better in {counted(first, 'sentence')}, the other in {second:,}; they tie in "
            f"{neither:,}."
        )
    different = most_different(pairs)
    st.markdown("The sentences whose translations share the fewest words:" if different else "All translations agree.")
    for one, two in different:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Open {one.number}", key=f"text-two-{one.number}", on_click=open_row, args=(held, name, one.number)
            )
            st.markdown(
                f"{plain_markdown(one.source)}  \n{plain_markdown(title(name))}: {plain_markdown(one.translation)}  \n"
                f"{plain_markdown(title(other))}: {plain_markdown(two.translation)}"
            )


def _tested(difference: Difference, sentences: int) -> str:
    if sentences < FEWEST:
        return f"{TOO_FEW}, too few for a test"
    low, high = difference.interval
    verdict = "significant" if difference.p_value < ALPHA else "not significant"
    return (
        f"the first minus the second is {difference.first - difference.second:+.1f} (95% interval {low:+.1f} to "
        f"{high:+.1f}), p = {difference.p_value:.3f} by paired bootstrap with {SAMPLES:,} samples, {verdict} at "
        f"{percent(ALPHA)}"
    )


def downloads(rows: Sequence[SentenceMeasures], name: str, model: str) -> None:
    """Draw a button for each file; the file is written when it is asked for."""
    with st.container(horizontal=True, key="text-files"):
        for ending, write in WRITERS.items():
            download(LABELS[ending], lambda write=write: "".join(write(rows)), f"regard-text.{ending}")
        loaded, about = any_pretrained(model), f"{name}, translated by {title(model)}"
        download("Report (HTML)", lambda: text_report(about, loaded, rows, text_scores(rows)), "regard-text.html", HTML)
