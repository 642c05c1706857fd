"""Agreement with people's links: its sums written out as LaTeX, and the measured results in words, of whole models and
of a Transformer's heads, single or chosen on other stories."""

from collections.abc import Mapping, Sequence
from operator import eq, gt, lt
from typing import Any

import streamlit as st

from regard.app.figures.measures import LABELLED, READINGS, Rate, head_error_rates, rate
from regard.app.models.models import scores, title
from regard.app.models.registry import alike_among, model_names, transforms
from regard.app.ui.definitions import definitions
from regard.app.ui.plots import plot
from regard.app.wording import listed, plain_markdown
from regard.model.alignment import ROWS
from regard.model.evaluation import scores_record
from regard.model.evaluation.scores_record import LINKED
from regard.model.word_alignment.alignment_error_rate import Agreement

TITLES = {
    "ChatBotte_MasterCat": "The Master Cat",
    "LaBarbeBleue_BlueBeard": "Blue Beard",
    "LaDerniereClasse_TheLastLesson": "The Last Lesson",
}
BASELINES = {name: called for name, called in LINKED.items() if name not in READINGS}
MASS = "mass_on_possible"
AFTERWARDS = ("posterior", "posterior_hmm")
NO_INTERVAL = "No intervals were computed: a small difference between models decides nothing."
ELSEWHERE = "Luong et al. (2015, footnote 14) read theirs as the word fed in and report no comparison."


def story_title(story: str) -> str:
    return TITLES.get(story, story)


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


def rates(scores: Mapping[str, Mapping[str, Any]], story: str) -> list[Rate]:
    """Return rates from the `scores.json` of models by title: each model in every reading measured, then the baselines.
    `story` is "" for all stories together. Rates that were not measured are left out."""
    models, baselines = [], {}
    for called, measured in scores.items():
        place = scores_record.agreement(measured, story)
        models += [_rate(called, rows, place[rows]) for rows in READINGS if rows in place]
        baselines |= {key: _rate(name, "", place[key]) for key, name in BASELINES.items() if key in place}
    return [*models, *(baselines[key] for key in BASELINES if key in baselines)]


def finding(rates: Sequence[Rate]) -> str:
    """Describe the result, whichever way it falls; Markdown, "" without numbers."""
    models = [each for each in rates if each.rows in LABELLED]
    if not models:
        return ""
    best = min(models, key=lambda each: each.aer)
    others = [each for each in models if each.name != best.name]
    after = min(others, key=lambda each: each.aer, default=None)
    first = (
        f"**{best.name}** has the lowest alignment error rate, its rows read as the word {LABELLED[best.rows]}: "
        f"{rate(best.aer)}" + (f"; next comes **{after.name}** with {rate(after.aer)}. {NO_INTERVAL}" if after else ".")
    )
    baselines = [each for each in rates if not each.rows]
    return " ".join([first, *_baseline_verdicts(best, baselines), *_labelling(models), *_afterwards(rates, baselines)])


def _afterwards(rates: Sequence[Rate], baselines: Sequence[Rate]) -> list[str]:
    """Say what the posterior gains, for the model and reading that come closest."""
    asked = [each for each in rates if each.rows in AFTERWARDS]
    if not asked:
        return []
    best = min(asked, key=lambda each: each.aer)
    weights = [each for each in rates if each.name == best.name and each.rows == ROWS[0]]
    beside = f", where its weights have {rate(weights[0].aer)}" if weights else ""
    return [
        f"Read once each word is known, which is no longer the attention, **{best.name}** ({READINGS[best.rows]}) has "
        f"AER {rate(best.aer)}{beside}.",
        *_baseline_verdicts(best, baselines),
    ]


def _baseline_verdicts(best: Rate, baselines: Sequence[Rate]) -> list[str]:
    """Say which baselines it beats and which it does not."""
    verdicts = []
    for verdict, holds in (("better than", lt), ("as good as", eq), ("worse than", gt)):
        if named := [f"{each.name} ({rate(each.aer)})" for each in baselines if holds(best.aer, each.aer)]:
            verdicts.append(f"{verdict} {listed(named)}")
    return [f"That is {', and '.join(verdicts)}."] if verdicts else []


def _labelling(models: Sequence[Rate]) -> list[str]:
    """Say which reading of rows fits, and which Luong et al. (2015) chose."""
    error = {(each.name, each.rows): each.aer for each in models}
    both = [name for name, rows in error if rows == ROWS[0] and (name, ROWS[1]) in error]
    produced = [name for name in both if error[name, ROWS[0]] < error[name, ROWS[1]]]
    if not both:
        return []
    who = "every model measured" if len(both) > 1 else both[0]
    if len(produced) == len(both):
        return [f"For {who} a row fits the word produced better than the word fed in. {ELSEWHERE}"]
    if not produced:
        return [f"For {who} a row fits the word fed in at least as well as the word produced. {ELSEWHERE}"]
    return [
        f"A row fits the word produced better for {len(produced)} of {len(both)} models ({', '.join(produced)}), and "
        f"for the others the word fed in. {ELSEWHERE}"
    ]


def _rate(name: str, rows: str, measured: Mapping[str, float]) -> Rate:
    return Rate(name, rows, measured["aer"], measured["precision"], measured["recall"], measured.get(MASS))


def _share(part: int, whole: int, value: float) -> str:
    return rf"\frac{{{part}}}{{{whole}}} = \mathbf{{{rate(value)}}}" if whole else r"0 \text{ (of none)}"


def _aligned(body: str) -> str:
    return rf"\begin{{aligned}} {body} \end{{aligned}}"


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
