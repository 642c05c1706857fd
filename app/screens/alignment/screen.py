"""Is attention an alignment? A model's greatest weights beside the links that people drew between words."""

from collections.abc import Sequence

import streamlit as st

from regard.app.figures.measures import READINGS, Rate, error_rates
from regard.app.models.analyses import stories
from regard.app.models.models import attends, scores, title
from regard.app.models.registry import alike_among, model_names
from regard.app.models.traces import any_trace
from regard.app.published_results import LUONG_ERROR_RATES, LUONG_TABLE_6
from regard.app.screens.alignment.error_rate import chosen_heads, finding, heads, rates, story_title
from regard.app.screens.alignment.own_links import draw
from regard.app.screens.alignment.stories import browse
from regard.app.ui.definitions import definitions
from regard.app.ui.head import ScreenHead, head, question_fields
from regard.app.ui.plots import plot
from regard.app.ui.widgets import segments
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import answerable, any_readable, begin, link
from regard.app.wording import SOURCE_IN_STATE, between, plain_markdown
from regard.model.checkpoint import AnyModel
from regard.model.word_alignment.alignment_error_rate import FILE_LANGUAGES

VIEWS = {"pairs": "Linked by hand", "set": "All measured", "own": "Your own sentence"}
LICENCE = (
    "The three stories and their links are from ALIBI, by Xu and Yvon (2016); please cite them. "
    "They are passed on unchanged under [CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/)."
)
MEANING = (
    "**What this shows.** These models were not trained to align: they saw only sentence pairs, and attention serves "
    "to produce the next word. A low error says that the word looked at most is often the one a person would "
    "link. A high one is no fault of the translation: what the decoder needs may stand beside the linked word{}. "
    "People, too, disagree about links, which is why some are only possible."
)
CHOSEN = "The Master Cat was used while designing the training; the other two stories were kept for reporting."
UNLINKED = (
    "No hand-linked sentences are available for {}: the three stories that come with this program are in English and "
    "French. Below you can draw links between the words of a sentence of your own."
)
COMMAND = "`regard evaluate --model pretrained/NAME --alignments model/data/stories`"


def measured(name: str) -> None:
    """Show the error rates of all models of these languages and of the baselines, from `scores.json`."""
    story = segments(
        "Pairs of", {"": "all three stories"} | {name: story_title(name) for name in stories()}, "", "measured_on"
    )
    everyone = alike_among(name, model_names())
    names = [other for other in everyone if attends(other)]
    measures = rates({title(name): scores(name) for name in names}, story)
    if not story:
        measures += chosen_heads(name)
    missing = [title(name) for name in names if not any(each.name == title(name) for each in measures)]
    if missing:
        st.info(f"Not measured on these sentences: {plain_markdown(', '.join(missing))}. {COMMAND} measures a model.")
    if measures:
        st.markdown(finding([each._replace(name=plain_markdown(each.name)) for each in measures]))
        st.caption(CHOSEN)
        plot(error_rates(measures), "error-rates", "Alignment error rates of models and baselines")
        definitions("aer", "precision", "recall", "mass", "rows", "posterior", "diagonal", "ibm1", "eflomal")
        table(measures)
    if len(names) < len(everyone):
        st.caption("The model without attention is left out: it sees the same two places at every step.")
    heads(name)
    published()


def table(rates: Sequence[Rate]) -> None:
    st.dataframe(
        {
            "links of": [each.name for each in rates],
            "read off": [READINGS.get(each.rows, "") for each in rates],
            "AER": [each.aer for each in rates],
            "precision": [each.precision for each in rates],
            "recall": [each.recall for each in rates],
            "on linked words": [None if each.mass is None else 100 * each.mass for each in rates],
        },
        hide_index=True,
        height="content",
        placeholder="–",
        column_config={
            **{name: st.column_config.NumberColumn(format="%.3f") for name in ("AER", "precision", "recall")},
            "on linked words": st.column_config.NumberColumn(format="%.1f%%"),
        },
        alt="Alignment error rate, precision and recall of models and baselines",
    )


def published() -> None:
    """Show the error rates that others measured, for other languages and sentences."""
    rows = "; ".join(f"{system} {aer:.2f}" for system, aer in LUONG_ERROR_RATES.items())
    st.caption(
        f"**Published elsewhere**, for other sentences and much larger systems: {rows} ({LUONG_TABLE_6}; none is given "
        "for global attention with the dot or general score). Koehn and Knowles (2017) found that attention “may in "
        "fact dramatically diverge” from word alignment; in their outlier, German to English, it lies one word beside "
        "the links."
    )


def own(top: ScreenHead, asked: Question, model: AnyModel) -> None:
    """Show the visitor's sentence, translated, and the links they draw."""
    question_fields(top, model, "")
    question = answerable(asked, model)
    if question is not None:
        link(question)
        draw(any_trace(question.model, question.sentence, question.given), question)


asked = begin("alignment")
top = head(
    "Is attention an alignment?",
    "People linked the words of three stories with those of their translations. Does a model look where they link?",
    asked,
)
model = any_readable(asked.model)
pair = model.tokenizer.languages
if not attends(asked.model):
    st.info("This model has no attention: it sees the same two places at every step, so its links say nothing.")
if set(pair) == set(FILE_LANGUAGES):
    with top.row:
        view = segments("What to look at", VIEWS, "pairs", "view", bare=True)
else:
    st.info(plain_markdown(UNLINKED.format(between(pair))))
    view = "own"
if view == "set":
    measured(asked.model)
elif view == "own":
    own(top, asked, model)
else:
    link(asked)
    browse(asked.model, pair)
st.markdown(MEANING.format(SOURCE_IN_STATE[model.config.source_in_state]["elsewhere"]))
if set(pair) == set(FILE_LANGUAGES):
    st.caption(LICENCE)
