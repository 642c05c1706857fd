"""Is attention an alignment? A model's greatest weights beside the links that people drew between words."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from regard.app.glossary.terms import definitions
from regard.app.models.analyses import stories
from regard.app.models.models import attends, scores, title
from regard.app.models.registry import alike_among, model_names
from regard.app.models.traces import any_trace
from regard.app.screens.alignment.links import browse, draw, story_title
from regard.app.ui.widgets import ScreenHead, head, question_fields, segments
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import answerable, any_readable, begin, link
from regard.app.wording import PUBLISHED, between, plain_markdown
from regard.model.checkpoint import AnyModel
from regard.model.evaluation import scores_record
from regard.model.evaluation.scores_record import LINKED, Part
from regard.model.word_alignment.alignment_error_rate import FILE_LANGUAGES

VIEWS = {"pairs": "Linked by hand", "set": "All measured", "own": "Your own sentence"}
LICENCE = (
    "The three stories and their links are from ALIBI, by Xu and Yvon (2016); please cite them. "
    "They are passed on unchanged under [CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/)."
)
MEANING = (
    "**What this shows.** These models were not trained to align: they saw only sentence pairs, and attention serves "
    "to produce the next word. A low error says that the word looked at most is often the one a person would "
    "link. A high one is no fault of the translation: what the decoder needs may stand beside the linked word, or "
    "follow from the words it has written. People, too, disagree about links, which is why some are only possible."
)
CHOSEN = (
    "A lower alignment error rate (AER) is closer to people's links. No intervals were computed: a small difference "
    "between models decides nothing. The Master Cat was used while designing the training; the other two stories were "
    "kept for reporting. A Transformer's rows are of the mean of its last layer's heads; its card has every head."
)
UNLINKED = (
    "No hand-linked sentences are available for {}: the three stories that come with this program are in English and "
    "French. Below you can draw links between the words of a sentence of your own."
)
READINGS = ("output", "input", "posterior", "posterior_hmm")
ON_LINKS = "on linked words"
COMMAND = "`regard evaluate --model pretrained/NAME --alignments model/data/stories`"


def measured(name: str) -> None:
    """Show the error rates of all models of these languages and of the baselines, from `scores.json`."""
    story = segments(
        "Pairs of", {"": "all three stories"} | {name: story_title(name) for name in stories()}, "", "measured_on"
    )
    everyone = alike_among(name, model_names())
    names = [other for other in everyone if attends(other)]
    found = {title(other): scores_record.agreement(scores(other), story) for other in names}
    if missing := [called for called, measures in found.items() if not measures]:
        st.info(f"Not measured on these sentences: {plain_markdown(', '.join(missing))}. {COMMAND} measures a model.")
    if rows := rates(found):
        st.caption(CHOSEN)
        st.dataframe(
            rows,
            hide_index=True,
            height="content",
            placeholder="–",
            column_config={
                **{name: st.column_config.NumberColumn(format="%.3f") for name in ("AER", "precision", "recall")},
                ON_LINKS: st.column_config.NumberColumn(format="%.1f%%"),
            },
            alt="Alignment error rate, precision and recall of models and baselines",
        )
        definitions("aer", "precision", "recall", "mass", "rows", "posterior", "diagonal", "ibm1", "eflomal")
    if len(names) < len(everyone):
        st.caption("The model without attention is left out: it sees the same two places at every step.")
    published = "; ".join(f"{system} {aer:.2f}" for system, aer in PUBLISHED["luong"]["rates"].items())
    st.caption(
        f"**Published elsewhere**, for other sentences and much larger systems: {published} "
        f"({PUBLISHED['luong']['source']}; none is given for global attention with the dot or general score). "
        "Koehn and Knowles (2017) found that attention “may in fact dramatically diverge” from word alignment; in "
        "their outlier, German to English, it lies one word beside the links."
    )


def rates(found: Mapping[str, Part]) -> list[dict[str, Any]]:
    """Return a row for each model, by title, in every reading measured, then a row for each baseline."""
    rows: dict[tuple[str, str], Part] = {}
    for called, measures in found.items():
        rows |= {(called, LINKED[name]): measures[name] for name in READINGS if name in measures}
    for measures in found.values():
        rows |= {
            (called, ""): measures[key] for key, called in LINKED.items() if key in measures and key not in READINGS
        }
    return [
        {"links of": called, "read off": reading}
        | {"AER": row["aer"], "precision": row["precision"], "recall": row["recall"]}
        | {ON_LINKS: 100 * row["mass_on_possible"] if "mass_on_possible" in row else None}
        for (called, reading), row in rows.items()
    ]


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
st.markdown(MEANING)
if set(pair) == set(FILE_LANGUAGES):
    st.caption(LICENCE)
