"""Compare: one sentence through several models, a column each, and the difference between two of them."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from regard.app.arithmetic.panel import step_through
from regard.app.components.stepper.payload import Head
from regard.app.figures.heatmap import difference, largest
from regard.app.glossary.terms import definitions
from regard.app.models.models import any_pretrained, title, training
from regard.app.models.registry import alike_among, model_names
from regard.app.models.traces import any_timed, any_trace, unreadable
from regard.app.ui.offline_file import take_along
from regard.app.ui.plots import page_download, plot
from regard.app.ui.widgets import ScreenHead, head, question_fields, segments, select
from regard.app.visitor.question import Question, telling_step
from regard.app.visitor.sentence_input import answerable, any_readable, begin, languages_field, link, visit
from regard.app.visitor.translated_text import text_row
from regard.app.wording import plain_markdown, set_apart
from regard.model.analysis.model_comparison import contrast
from regard.model.checkpoint import COMPARED, DEFAULT, AnyModel
from regard.model.input_error import InputError
from regard.model.transformer.transformer import TransformerConfig

OPENING = ("en-fr-bahdanau", "en-fr-none")  # shown to newcomers beside the standard model, if present
MOST = 3  # most models shown to newcomers

ALONE = (
    "This is the only model available for its languages, so there is nothing to compare it with. `regard train` "
    "trains another from sentence pairs; import its folder as a zip (Bring your own, A model)."
)

MEAN = (
    "Until you choose a head, a Transformer's alignment is the mean of the heads of its last layer's cross-attention; "
    "the difference between two models always uses that mean."
)


def choose(top: ScreenHead, names: Sequence[str]) -> list[str]:
    """Choose the models to show, in the order in which they are offered."""
    if len(names) < 2:
        st.info(ALONE)
        return list(names)
    first = DEFAULT if DEFAULT in names else COMPARED
    known = [name for name in (first, *OPENING) if name in names]
    if not set(st.session_state.get("models", names)) <= set(names):  # they had other languages
        del st.session_state["models"]
    chosen = top.options.pills(
        "Models",
        names,
        selection_mode="multi",
        default=known if len(known) > 1 else names[:MOST],
        format_func=title,
        key="models",
        bind="query-params",
    )
    return [name for name in names if name in chosen]


@st.fragment
def columns(models: Sequence[AnyModel], question: Question) -> None:
    """Draw the stepper, and the arithmetic of the number that was clicked last."""
    names = [model.name for model in models]
    if st.session_state.get("compared") != names:  # the open number may now belong to another column
        st.session_state.compared, visit().opened = names, ()
    timings = [any_timed(name, question.sentence) for name in names]
    traces = [trace for trace, _ in timings]
    heads = [
        Head(title(model.name), (("parameters", f"{model.parameters:,}"), ("time", f"{1000 * seconds:.0f} ms")))
        for model, (_, seconds) in zip(models, timings, strict=True)
    ]
    step = telling_step(traces[0]) if question.step is None else question.step
    opening = question.opening(step, visit().question.rows)
    posteriors = step_through(traces, opening, key="columns-stepper", heads=heads)
    page_download(traces, "compared", heads, posteriors)


@st.fragment
def two(names: Sequence[str], question: Question) -> None:
    """Show one model's weights minus another's, both reading the same translation."""
    st.caption(
        "Both read the same translation, so each row is the same word for both. A cell is model A's weight for a "
        "source word minus model B's, in percentage points."
    )
    titles_of = {name: title(name) for name in names}
    state = st.session_state
    for field, other in (("first", "second"), ("second", "first")):
        if state.get(field, names[0]) not in names:  # it is no longer compared
            state[field] = next(name for name in names if name != state.get(other))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = select("Model A", titles_of, names[0], "first", width=220)
        second = select("Model B", titles_of, names[1], "second", width=220)
        reading = segments("Both read the translation by", ["model A", "model B"], "model A", "reading")
    if first == second:
        st.info("Choose two different models.")
        return
    target = any_trace(first if reading == "model A" else second, question.sentence, "").text
    if not target:
        st.info("This translation has no words. Let both read the other one.")
        return
    one, other = (any_trace(name, question.sentence, target).alignment for name in (first, second))
    try:
        differences = contrast(one, other)
    except InputError as error:
        st.info(plain_markdown(f"These two cannot be compared word by word: {error}."))
        return
    titles = titles_of[first], titles_of[second]
    st.html(f"<p>{largest(differences, *titles, (one.source.language, one.target.language))}</p>")
    plot(
        difference(differences, *titles),
        "difference",
        f"Weights between words: {titles[0]} less {titles[1]}",
        f"“{question.sentence}” → “{target}”",
    )


asked = replace(begin("compare"), given="")  # each model writes its own
top = head(
    "Do other models look elsewhere?",
    "Words that the first translation lacks, or has less often, are underlined.",
    options=True,
)
with top.right:
    languages_field(asked)
models = []
for name in choose(top, alike_among(asked.model, model_names())):
    try:
        models.append(any_pretrained(name))
    except InputError as error:
        st.error(plain_markdown(f"{title(name)} cannot be shown. {error}"))
wrong = {model.name: unreadable(model.name, asked.sentence) for model in models}
reader = min(models, key=lambda model: bool(wrong[model.name]), default=None) or any_readable(asked.model)
question_fields(top, reader)
question = answerable(asked, reader)
if not models:
    st.info("Choose one model or more, under Options.")
    st.stop()
if question is None:
    st.stop()
text_row(asked)
link(question)
for model in models:
    if why := unreadable(model.name, question.sentence):
        st.warning(plain_markdown(f"{title(model.name)} cannot show this sentence. {why}"))
shown = [model for model in models if not unreadable(model.name, question.sentence)]
if not shown:
    st.stop()
with st.container(key="stage"):  # holds its place until it is drawn
    columns(shown, question)
if len(shown) > 1:
    st.caption(set_apart([model.network.config for model in shown], [training(model.name) for model in shown]))
if any(isinstance(model.network.config, TransformerConfig) for model in shown):
    st.caption(MEAN)
definitions("score", "weight", "log_probability", "parameters", "time")
take_along([model.name for model in shown], question)
if len(shown) > 1:
    with st.expander("The difference between two", key="difference-of-two", on_change="rerun") as difference_of_two:
        if difference_of_two.open:
            two([model.name for model in shown], question)
