"""The heads of Transformers against people's links: the error rate of each, and of heads chosen on other stories."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from regard.app.figures.measures import LABELLED, Rate, head_error_rates, rate
from regard.app.models.models import scores, title
from regard.app.models.registry import alike_among, model_names, transforms
from regard.app.screens.alignment.stories import story_title
from regard.app.ui.definitions import definitions
from regard.app.ui.plots import plot
from regard.app.wording import plain_markdown
from regard.model.evaluation import scores_record

NONE_HERE = "No Transformer for these languages is available; with one, its heads would be compared with these models."
CHOSEN = ", head chosen on other stories"


def transformers(name: str) -> list[str]:
    """Return the Transformers on offer with the languages of this model."""
    return [other for other in alike_among(name, model_names()) if transforms(other)]


def chosen_heads(name: str) -> list[Rate]:
    """Return, for each Transformer, the rate of the head chosen on the other stories, if measured."""
    return [
        Rate(f"{title(other)}{CHOSEN}", found["rows"], found["aer"], found["precision"], found["recall"])
        for other in transformers(name)
        if (found := _measured(other).get("elsewhere"))
    ]


def heads(name: str) -> None:
    """Draw every head and every mean, for each Transformer of these languages."""
    st.header("Every head of the Transformer")
    names = transformers(name)
    if not names:
        st.info(NONE_HERE)
    for other in names:
        if found := _measured(other):
            st.markdown(told(title(other), found))
            for rows, whose in LABELLED.items():
                st.html(f'<p class="about">Rows read as the word {whose}</p>')
                alt = f"AER of every head of {title(other)}, rows read as the word {whose}"
                plot(head_error_rates(found[rows]["heads"], found[rows]["layers"]), f"heads-{other}-{rows}", alt)
        else:
            st.info(f"The heads of “{plain_markdown(title(other))}” were not measured on these sentences.")
    definitions("head", "aer", "rows")


def told(called: str, found: Mapping[str, Any]) -> str:
    """Say which head aligns best, and how well it does on stories it was not chosen on; Markdown."""
    best = found["best"]
    sentences = [
        f"Among all heads of “{plain_markdown(called)}”, {_head(best)}, comes closest to people's links on all "
        f"stories: AER **{rate(best['aer'])}**. The mean of all heads has "
        + " and ".join(f"{rate(found[rows]['mean'])} (word {whose})" for rows, whose in LABELLED.items())
        + "."
    ]
    if "elsewhere" in found:
        sentences.append(
            "The best of many may look better than it is. A head chosen on the other stories and measured on the story "
            f"left out has **{rate(found['elsewhere']['aer'])}**: "
            + "; ".join(
                f"{plain_markdown(story_title(story))} {rate(each['aer'])}, {_head(each)}"
                for story, each in found.get("chosen_on_the_others", {}).items()
            )
            + "."
        )
    return " ".join(sentences)


def _head(place: Mapping[str, Any]) -> str:
    return f"head {place['head'] + 1} of layer {place['layer'] + 1}, read as the word {LABELLED[place['rows']]}"


def _measured(name: str) -> Mapping[str, Any]:
    return scores_record.part(scores(name), "alignments").get("heads", {})
