"""Bottleneck: what happens to a long sentence when vectors of fixed size have to hold it.

A sentence grows by a clause per line, and each model translates it at every length.
"""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from regard.app.components.stepper.payload import Head
from regard.app.figures import measures
from regard.app.figures.heatmap import contexts, full_colour, largest_change
from regard.app.glossary.terms import definitions
from regard.app.models.models import any_pretrained, attends, scores, title, training, usual_length
from regard.app.models.registry import alike_among, model_names
from regard.app.navigation import script
from regard.app.theme import component
from regard.app.ui import growing_sentence as growing
from regard.app.ui.growing_sentence import sentence
from regard.app.ui.plots import page_download, plot
from regard.app.ui.widgets import errors_shown, head, segments, select
from regard.app.visitor import suggestions
from regard.app.visitor.sentence_input import ask, begin, languages_field, link, visit, went_back
from regard.app.wording import CLAUSES, PUBLISHED, many_heads, plain_markdown, remark, set_apart
from regard.model.checkpoint import COMPARED
from regard.model.trace import AnyTrace

MISSING = (
    "No model without attention is available for these languages, so there is nothing to compare this one with. "
    "`regard train --score none --initial-state encoder` trains one; the card of the available model says how it was "
    "trained."
)
CONTEXTS = (
    "**What the decoder is given.** Each row of colours is the context of one step, {sizes} numbers. From one step to "
    "another a number changes by up to {moves}."
)
JOINED = " For a Transformer, the context is the output of the last layer's cross-attention, all heads joined."
TABLE = """<table class="published"><thead><tr><th scope="col">English to French, WMT 2014</th>
<th scope="col" class="number">BLEU, all</th><th scope="col" class="number">BLEU, no unknown words</th></tr></thead>
<tbody>{rows}</tbody></table><p class='about'>{source}, Table 1. Larger systems trained on other text: for context, not
for direct comparison.</p>"""
ROW = """<tr><th scope="row">{}<br><span class="about">{}</span></th><td class="number">{:.2f}</td>
<td class="number">{:.2f}</td></tr>"""
_WORDS = re.compile(r"[\w ()]+")


@st.fragment
def builder(names: list[str]) -> None:
    """Draw the growing sentence, its translations, and how sure the models are."""
    model, titles = any_pretrained(names[0]), [title(name) for name in names]
    with st.container(key="lengthening"):
        figure, translations = st.columns([2, 3], gap="large")
    writing, below = st.columns([2, 3], gap="large")
    with writing:
        text = write_sentence(names)
    st.session_state.grown = text
    link(visit().question)
    made, wrong = growing.grown(growing.lines(text), names)
    with translations:
        if wrong:
            st.warning(wrong)
        elif not made:
            st.info("Nothing to read yet: write a sentence in the first line.")
        if not made:
            return
        st.html(growing.entries(made, titles))
    with figure:  # how sure and how alike the models are, by the length of the sentence
        what = "How sure each is, and how alike" if len(titles) > 1 else "How sure the model is"
        st.html(f'<p class="about">{what}, as the sentence grows</p>')
        traces = [(name, [one.traces[place] for one in made]) for place, name in enumerate(titles)]
        alike = [one.alike for one in made] if len(titles) > 1 else []
        alt = "Probability per token of each model's own translation, and words in common, by source words"
        plot(measures.growth([one.words for one in made], traces, alike), "growth", alt)
    newest = made[-1]
    with writing:
        encoding = model.tokenizer.encode(newest.sentence, model.tokenizer.languages[0])
        note = remark(model.tokenizer, encoding, usual_length(model.name))
        st.html(f'<p class="about">{escape(note) or "&nbsp;"}</p>')
    with below:
        draw_contexts(newest.traces, titles)
        page_download(newest.traces, "bottleneck", [Head(name) for name in titles])


def write_sentence(names: list[str]) -> str:
    """Draw the field with one clause per line and buttons that add and remove lines; return its text."""
    tokenizer, state, now = any_pretrained(names[0]).tokenizer, st.session_state, visit()
    spoken = tokenizer.languages
    clauses = CLAUSES.get(spoken) or growing.in_threes(suggestions.long_sequence(tokenizer))
    first = "\n".join(clauses[: growing.SHOWN_AT_FIRST])
    if state.get("growing", spoken) != spoken:
        state.clauses = state.grown = ""
        if now.question.sentence == suggestions.opening(names[0]):  # nobody entered it: it came with the languages
            ask(sentence(first))
    state.growing, asked = spoken, now.question.sentence
    plain = first if now.unasked or asked == sentence(first) else asked
    # Lines of the field, the link or the session hold until another sentence is entered; after Back, the link's alone.
    here = {} if went_back() else state
    stored = (here.get("clauses"), st.query_params.get("clauses"), here.get("grown"))
    state.clauses = next((text for text in stored if text and (now.unasked or sentence(text) == asked)), plain)
    text = st.text_area(
        "A sentence that grows, one clause per line",
        plain,  # the meaning of a link without clauses, also after Back
        key="clauses",
        bind="query-params",
        height=216,
        max_chars=growing.LONGEST_TEXT,
        on_change=lambda: _put([st.session_state.clauses]),
        help="Change any line or write your own. Press Ctrl+Enter, or click elsewhere, to translate.",
    )
    if text != plain and sentence(text) != asked:  # the link's own lines, also after Back
        ask(sentence(text))
    written = growing.lines(text)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="lines"):
        st.button("Remove the last", on_click=_put, args=(written[:1] + written[1:-1],), icon=":material/undo:")
        st.button("Start again", on_click=_put, args=([first],), icon=":material/restart_alt:")
        there = [("sentence", sentence(text)), *(("models", title(name)) for name in names)]
        st.page_link(script("compare"), label="Open in Compare", icon=":material/view_column:", query_params=there)
    if offered := [clause for clause in clauses[1:] if clause not in written]:
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="offers"):
            st.html('<p class="about">Add</p>', width="content")
            for place, clause in enumerate(offered):  # a key by place: the focus stays for the next one
                st.button(clause, type="tertiary", key=f"offer-{place}", on_click=_put, args=([*written, clause],))
    return text


def _put(lines: Sequence[str]) -> None:
    """Set other lines; the sentence they make becomes the question of all screens."""
    st.session_state.clauses = "\n".join(lines)
    ask(sentence(st.session_state.clauses))


def draw_contexts(newest: Sequence[AnyTrace], titles: list[str]) -> None:
    """Draw the contexts of the longest sentence."""
    named = list(zip(titles, newest, strict=True))
    moves = " and ".join(
        f"{component(largest_change(trace.attention_output))} with {plain_markdown(name)}" for name, trace in named
    )
    sizes = " or ".join(dict.fromkeys(str(trace.attention_output.shape[1]) for trace in newest))
    heads = any(many_heads(any_pretrained(trace.maker.name).config) for trace in newest)
    st.markdown(CONTEXTS.format(sizes=sizes, moves=moves) + JOINED * heads)
    scale = full_colour(newest)
    for (name, trace), place, column in zip(named, ("with", "without"), st.columns(len(titles)), strict=False):
        with column:
            st.html(f'<p class="about">Contexts, step by step: {escape(name)}</p>')
            plot(contexts(trace, scale), f"contexts-{place}", f"The context of each step of {name}: a row of colours")


@st.fragment
def measured(scores_of: dict[str, dict[str, Any]], strong: int) -> None:
    """Draw BLEU by sentence length, from `scores.json`; the first `strong` models are compared. For models of numbers,
    draw the share of sequences written exactly."""
    if swept := sweeps(scores_of):
        st.markdown(measures.exact_finding([each._replace(title=plain_markdown(each.title)) for each in swept]))
        alt = "Share of sequences written exactly by length, a line for each model"
        plot(measures.exactness(swept), "exactness", alt)
    offered = [key for known in scores_of.values() for key in measures.searches(known)]
    if not offered:
        if not swept:
            st.info("BLEU by sentence length has not been measured yet; `regard evaluate` does it.")
        return
    tests, ways = ({key: _named(key) for key in keys} for keys in zip(*offered, strict=True))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        test = segments("Test", tests, next(iter(tests)), "lengths_test")
        way = segments("Search", ways, next(iter(ways)), "lengths_search")
    found = [(title(name), measures.buckets(known, test, way)) for name, known in scores_of.items()]
    if strong > 1:
        st.markdown(measures.bleu_finding(*(rows for _, rows in found[:strong])))
        compared = list(scores_of)[:strong]
        st.caption(set_apart([any_pretrained(name).config for name in compared], list(map(training, compared))))
    plot(measures.lengths(found, strong), "lengths", "BLEU by source length, a line for each model")


def sweeps(scores_of: dict[str, dict[str, Any]]) -> list[measures.Sweep]:
    """Return the measurements of those models that practised with numbers."""
    return [found for name, known in scores_of.items() if (found := measures.sweep(title(name), known))]


def _named(key: str) -> str:
    """Return the name of a test or a search as Markdown; names from an uploaded model are escaped."""
    called = measures.named(key)
    return called if _WORDS.fullmatch(called) else plain_markdown(called)


def usable(names: list[str]) -> list[str]:
    """Return the readable models with the first one's languages; show an error for each unreadable one."""
    languages_of = {}
    for name in names:
        with errors_shown():
            languages_of[name] = any_pretrained(name).tokenizer.languages
    return [name for name, languages in languages_of.items() if languages == next(iter(languages_of.values()))]


def on_test_sets(names: list[str], strong: int) -> None:
    """Draw what was measured on the models here, and beside it, of models that translate, what was published."""
    known: dict[str, dict[str, Any]] = {name: {} for name in names}
    for name in names:
        with errors_shown():
            known[name] = scores(name)
    left, right = st.columns([3, 2], gap="large")
    with left:
        measured(known, strong)
    if sweeps(known):
        return
    with left:
        definitions("bleu", "interval")
    with right:
        bahdanau = PUBLISHED["bahdanau"]
        st.html('<h3 class="part">Published elsewhere</h3>')
        st.html(TABLE.format(rows="".join(ROW.format(*row) for row in bahdanau["rows"]), source=bahdanau["source"]))


asked = begin("bottleneck")
everyone = alike_among(asked.model, model_names())
attending = [name for name in everyone if attends(name)] or everyone
without = [name for name in everyone if not attends(name)][:1]
top = head(
    "How long a sentence do two vectors hold?",
    "Without attention they have to hold all of it. Make it longer.",
)
with top.right:
    languages_field(asked)
    chosen = COMPARED if COMPARED in attending else attending[0]  # trained like the model without
    if len(attending) > 1:
        called = {name: title(name) for name in attending}
        chosen = select("The model with attention", called, chosen, "attending", width=200, bare=True)
beside = usable(list(dict.fromkeys([chosen, *without])))
if not without:
    st.info(MISSING)
if beside:
    builder(beside)
definitions("bottleneck", "mean_probability", "likeness")
with st.expander("Measured on whole test sets, here and elsewhere", key="on-test-sets", on_change="rerun") as test_sets:
    if test_sets.open:
        on_test_sets(list(dict.fromkeys([*beside, *everyone])), len(beside))
