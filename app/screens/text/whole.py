"""The whole text: its scores, the words it fails on, two models compared, and its files; drawn on request.

The text is translated in pieces, with the time left; finished pieces stay if the visitor leaves.
"""

from collections.abc import Sequence
from math import isnan
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.export.text_report import text_report
from regard.app.models.models import any_pretrained, title
from regard.app.models.registry import alike_among, model_names
from regard.app.theme import component, percent
from regard.app.ui.plots import download
from regard.app.ui.widgets import table
from regard.app.visitor.translated_text import PIECE, TranslatedText, open_row, translate_piece
from regard.app.wording import counted, plain_markdown
from regard.model.evaluation.translation_quality import SAMPLES, Difference
from regard.model.text_report.sentence_measures import SentenceMeasures
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
