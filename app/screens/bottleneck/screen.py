"""Bottleneck: what happens to a long sentence when vectors of fixed size have to hold it."""

import re
from typing import Any

import streamlit as st

from regard.app.figures.measures import (
    bleu_finding,
    buckets,
    exact_finding,
    exactness,
    lengths,
    named,
    searches,
    sweep,
)
from regard.app.models.models import any_pretrained, attends, scores, title, training
from regard.app.models.registry import alike_among, model_names
from regard.app.screens.bottleneck.sentence_builder import builder
from regard.app.ui.definitions import definitions
from regard.app.ui.head import head
from regard.app.ui.plots import plot
from regard.app.ui.widgets import errors_shown, segments, select
from regard.app.visitor.fields import languages_field
from regard.app.visitor.sentence_input import begin
from regard.app.wording import PUBLISHED, plain_markdown, set_apart
from regard.model.checkpoint import COMPARED

MISSING = (
    "No model without attention is available for these languages, so there is nothing to compare this one with. "
    "`regard train --score none --initial-state encoder` trains one; the card of the available model says how it was "
    "trained."
)
_WORDS = re.compile(r"[\w ()]+")


@st.fragment
def measured(scores_of: dict[str, dict[str, Any]], strong: int) -> None:
    """Draw BLEU by sentence length, from `scores.json`; the first `strong` models are compared. For models of numbers,
    draw the share of sequences written exactly."""
    swept = [measures for name, known in scores_of.items() if (measures := sweep(title(name), known))]
    if swept:
        st.markdown(exact_finding([each._replace(title=plain_markdown(each.title)) for each in swept]))
        plot(
            exactness(swept),
            "exactness",
            "Share of sequences written exactly by length, a line for each model",
        )
    offered = [key for known in scores_of.values() for key in searches(known)]
    if not offered:
        if swept:
            return
        st.info("BLEU by sentence length has not been measured yet; `regard evaluate` does it.")
        return
    tests, ways = (list(dict.fromkeys(keys)) for keys in zip(*offered, strict=True))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        test = segments("Test", {name: _named(name) for name in tests}, tests[0], "lengths_test")
        way = segments("Search", {name: _named(name) for name in ways}, ways[0], "lengths_search")
    measures = [(title(name), buckets(known, test, way)) for name, known in scores_of.items()]
    if strong > 1:
        st.markdown(bleu_finding(*(rows for _, rows in measures[:strong])))
        compared = list(scores_of)[:strong]
        st.caption(set_apart([any_pretrained(name).config for name in compared], list(map(training, compared))))
    plot(lengths(measures, strong), "lengths", "BLEU by source length, a line for each model")


def _named(key: str) -> str:
    """Return the name of a test or a search as Markdown; names from an uploaded model are escaped."""
    called = named(key)
    return called if _WORDS.fullmatch(called) else plain_markdown(called)


def published() -> None:
    """Draw the results of the paper that described the bottleneck."""
    rows = "".join(
        f'<tr><th scope="row">{system}<br><span class="about">{about}</span></th>'
        f'<td class="number">{bleu:.2f}</td><td class="number">{known:.2f}</td></tr>'
        for system, about, bleu, known in PUBLISHED["bahdanau"]["rows"]
    )
    st.html(
        '<table class="published"><thead><tr><th scope="col">English to French, WMT 2014</th>'
        '<th scope="col" class="number">BLEU, all</th><th scope="col" class="number">BLEU, no unknown words</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>"
    )
    st.html(
        f"<p class='about'>{PUBLISHED['bahdanau']['source']}, Table 1. Larger systems trained on other text: for "
        "context, not for direct comparison.</p>"
    )


def choose(names: list[str]) -> str:
    """Return the model with attention to compare; at first the one trained like the model without."""
    alike = COMPARED if COMPARED in names else names[0]
    if len(names) < 2:
        return alike
    titles = {name: title(name) for name in names}
    return select("The model with attention", titles, alike, "attending", width=200, bare=True)


def usable(names: list[str]) -> list[str]:
    """Return the readable models with the first one's languages; show an error for each unreadable one."""
    languages_of = {}
    for name in names:
        with errors_shown():
            languages_of[name] = any_pretrained(name).tokenizer.languages
    return [name for name, languages in languages_of.items() if languages == next(iter(languages_of.values()))]


def scores_or_none(name: str) -> dict[str, Any]:
    """Return the scores of a model; show an error and return none if the file cannot be read."""
    with errors_shown():
        return scores(name)
    return {}


def on_test_sets(beside: list[str], everyone: list[str]) -> None:
    """Draw what was measured on the models here, and beside it what was published of others."""
    known = {name: scores_or_none(name) for name in dict.fromkeys([*beside, *everyone])}
    of_numbers = any(sweep(name, found) for name, found in known.items())
    left, right = st.columns([3, 2], gap="large")
    with left:
        measured(known, len(beside))
        if not of_numbers:
            definitions("bleu", "interval")
    if not of_numbers:
        with right:
            st.html('<h3 class="part">Published elsewhere</h3>')
            published()


asked = begin("bottleneck")
everyone = alike_among(asked.model, model_names())
without = [name for name in everyone if not attends(name)][:1]
top = head(
    "How long a sentence do two vectors hold?",
    "Without attention they have to hold all of it. Make it longer.",
)
with top.right:
    languages_field(asked)
    chosen = choose([name for name in everyone if attends(name)] or everyone)
beside = usable(list(dict.fromkeys([chosen, *without])))
if not without:
    st.info(MISSING)
if beside:
    builder(beside)
definitions("bottleneck", "mean_probability", "likeness")
with st.expander("Measured on whole test sets, here and elsewhere", key="on-test-sets", on_change="rerun") as test_sets:
    if test_sets.open:
        on_test_sets(beside, everyone)
