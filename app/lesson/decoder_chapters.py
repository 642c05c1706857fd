"""Chapters 6 to 8: from state and context to the next token, a heatmap of all steps, two ways to wire attention."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import streamlit as st

from regard.app.components.matrices.mount import matrices
from regard.app.figures import heatmap as figure
from regard.app.lesson.chapter import (
    TEXTS,
    Chapter,
    Phase,
    Prediction,
    choose_writing_step,
    token_name,
    written_so_far,
)
from regard.app.models.models import attends, pretrained, scores, title
from regard.app.models.registry import alike
from regard.app.models.traces import any_changed, recurrent, trace
from regard.app.theme import component, percent
from regard.app.ui.plots import plot
from regard.app.ui.widgets import segments
from regard.app.visitor.pickers import as_markdown, choose
from regard.app.visitor.question import telling_step
from regard.app.visitor.sentence_input import ask, visit
from regard.app.wording import plain_markdown
from regard.app.worked_example.paper import equation, prose
from regard.model.alignment import ROWS, token_label
from regard.model.analysis.faithfulness import replaced
from regard.model.arithmetic.quantity import Quantity
from regard.model.changes.intervention import Intervention
from regard.model.evaluation import scores_record
from regard.model.examples.decoder_steps import BAHDANAU, BAHDANAU_GENERAL, LUONG
from regard.model.examples.example import Example
from regard.model.input_error import InputError
from regard.model.tokenizer import STOP
from regard.model.trace import Trace

OPENED = 5  # tokens whose arithmetic can be opened
CHOICES = 3  # tokens to choose from, in the question


def next_tokens(trace: Trace) -> None:
    step = choose_writing_step(trace, "output")
    tokens = len(pretrained(trace.maker.name).tokenizer) - STOP
    st.markdown(
        f"Written so far: {written_so_far(trace, step)}. Of {tokens:,} tokens that can be written, these are the "
        "likeliest to come next:"
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="from-where"):
        st.html('<p class="about">Where does it come from?</p>', width="content")
        offered = zip(trace.top_ids[step].tolist(), trace.top_tokens[step], trace.top_probabilities[step], strict=True)
        for index, token, probability in list(offered)[:OPENED]:
            if st.button(f"{token_name(token)} {percent(probability)}", type="tertiary", key=f"token-{index}"):
                visit().opened = (Quantity("probability", step=step, token=index),)
                st.rerun()  # the page draws the arithmetic
    st.caption("A dot before a token means that it continues without a space.")


def likeliest(trace: Trace) -> Prediction:
    """Ask for the likeliest next token of a step, and tell what the state chooses alone, with the context set to 0."""
    step = telling_step(trace) - 1
    chances = dict(zip(map(as_markdown, trace.top_tokens[step]), trace.top_probabilities[step].tolist(), strict=True))
    best = list(chances)[:CHOICES]
    options = tuple(sorted(best))
    nothing = replaced(pretrained(trace.maker.name), trace, np.zeros_like(trace.weights), "no context")
    kept, steps = int(nothing.stays.sum()), len(trace.target)
    alone = token_name(nothing.top_tokens[step][0])
    return Prediction(
        f"Written so far: {written_so_far(trace, step)}. Which of these tokens do state and context make likeliest?",
        options,
        options.index(best[0]),
        f"“{best[0]}” has **{percent(chances[best[0]])}**, "
        + ", ".join(f"“{token}” {percent(chances[token])}" for token in best[1:])
        + f". With the context set to zeros, the state alone would choose {alone} here. Of all {steps} "
        f"steps, each changed on its own, **{kept}** would still write the same token ({percent(kept / steps)}).",
        ALONE,
        step=step + 1,
    )


ALONE = (
    "With a context of zeros the decoder has only its state to go on. No step of training ever had such a context, so "
    "this is a probe, not a measure of how well such a network could do."
)
OUTPUT = Chapter(**TEXTS["output"], asked=likeliest, live=next_tokens, picture=Phase("write"), own=True)


ROW_NAMES = {"output": "the word produced", "input": "the word fed in"}
CLOSE = 0.02  # of two error rates
VERDICTS = (  # for each right option
    "So these rows should not be read as Luong and his colleagues read theirs: which reading fits depends on how a "
    "model learned to look, and has to be measured.",
    "So this model's rows should be read as footnote 14 says: one word earlier.",
    "So for this model neither reading is clearly the better one.",
)


def name_rows(lesson: Trace) -> None:
    alignment = lesson.alignment
    chosen = segments("A row is named by", {name: ROW_NAMES[name] for name in ROWS}, ROWS[0], "named")
    with_pieces(lesson)
    plot(figure.heatmap(alignment, "tokens", chosen or ROWS[0]), "rows", "Weights by decoder step and source token")


def which_reading(lesson: Trace) -> Prediction | None:
    """Ask which name for a row agrees better with people's links over all stories; None if it was never measured."""
    measured = scores_record.agreement(scores(lesson.maker.name))
    if not all("aer" in measured.get(rows, {}) for rows in ROWS):
        return None
    produced, fed = (measured[rows]["aer"] for rows in ROWS)
    right = 2 if abs(produced - fed) <= CLOSE else 0 if produced < fed else 1
    return Prediction(
        "Compared with the links that people drew, which name for a row gives this model the lower error rate?",
        ("The word produced", "The word fed in", f"No matter: they differ by {component(CLOSE)} at most"),
        right,
        f"Over {measured['pairs']} sentence pairs the alignment error rate, from 0 (all agree) to 1, is "
        f"**{component(produced)}** for the word produced and **{component(fed)}** for the word fed in.",
        VERDICTS[right],
    )


EXAMPLE = "The firefighter is brave."  # one word of it is four tokens to the shipped models


def with_pieces(lesson: Trace) -> None:
    """Offer another sentence if every word of this one is one token."""
    if not pieces(lesson) and lesson.alignment.source.language == "en":
        offer = f"Take “{EXAMPLE}”, which has a word of several tokens"
        if st.button(offer, type="tertiary", on_click=ask, args=(EXAMPLE,)):
            st.rerun()  # rerun the whole page, whose sentence has changed


def pieces(lesson: Trace) -> Prediction | None:
    """Ask for the weight of the source word with the most tokens, at the step that spreads most over them."""
    alignment = lesson.alignment
    word_of = np.array(alignment.source.word_of)
    word = int(np.bincount(word_of).argmax())
    places = np.flatnonzero(word_of == word)
    if len(places) < 2:
        return None
    parts = alignment.weights[:, places].astype(np.float64)
    row = int((parts.sum(1) - parts.max(1)).argmax())
    ways = [float(parts[row].sum()), float(parts[row].max()), float(parts[row].mean())]
    named = alignment.source.words[word]
    tokens = [token_name(alignment.source.tokens[place]) for place in places]
    listed = ", ".join(percent(float(part)) for part in parts[row])
    labels = ("their sum", "the greatest of them", "their mean")
    return Prediction(
        f"The model reads “{named}” as {len(places)} tokens: {' '.join(tokens)}. At the step that writes "
        f"{token_name(alignment.target.tokens[row])} they weigh {listed}. What is the weight of the word?",
        tuple(f"{percent(way)}: {label}" for way, label in zip(ways, labels, strict=True)),
        0,
        f"As one word they weigh **{percent(ways[0])}**, so the row still adds up to 100%.",
        "Weights are added over the tokens of a source word, because they are shares of one context, and averaged over "
        "the steps of a target word, because each step has a row of its own.",
        ("", "What the others weigh went into the context too.", "With it the row would no longer add up to 100%."),
    )


HEATMAP = Chapter(
    **TEXTS["heatmap"],
    asked=which_reading,
    live=name_rows,
    picture=Phase("weigh", covers=False),
    own=True,
    again=pieces,
)


WIRINGS: dict[str, Example] = {
    "Bahdanau 2015": BAHDANAU,
    "Bahdanau's order, general score": BAHDANAU_GENERAL,
    "Luong 2015": LUONG,
}
FIRST_WIRING = next(iter(WIRINGS))
SECOND = 2  # the first step that is fed a token written before it
SAME = 1e-4  # below it two scores differ by rounding


def both_wirings(lesson: Trace) -> dict[str, Trace]:
    """Return the visitor's sentence in each wiring, Bahdanau's first, as far as models for them are on offer."""
    models = {pretrained(lesson.maker.name).network.config.wiring: lesson.maker.name}
    for name in alike(lesson.maker.name):
        with suppress(InputError):  # an unreadable model is reported where it is chosen
            if len(models) < 2 and attends(name):
                models.setdefault(pretrained(name).network.config.wiring, name)
    return {title(name): trace(name, lesson.alignment.source.text, "") for _, name in sorted(models.items())}


def _fed_step(traces: Sequence[Trace]) -> int:
    """Return the step, from 1, at which another token is fed in; 0 if a translation has no second step."""
    last = min(len(trace.target) for trace in traces)
    return min(max(telling_step(traces[-1]), SECOND), last) if last >= SECOND else 0


def fed_anew(lesson: Trace) -> dict[str, Trace]:
    """Return both translations with another token written before the step that is asked about."""
    own = both_wirings(lesson)
    step = _fed_step(list(own.values()))
    after: dict[str, Trace] = {}
    for named, before in own.items() if step else ():
        offered, own_token = before.top_ids[step - SECOND].tolist(), int(before.target_ids[step - SECOND])
        token = next(token for token in offered if token not in (own_token, STOP))  # the likeliest of the others
        change = Intervention(tokens=((step - SECOND, token),))
        new = recurrent(any_changed(before.maker.name, lesson.alignment.source.text, "", change))
        after[f"{named}: “{token_label(new.target[step - SECOND])}”"] = new
    return after or own


def changes(lesson: Trace) -> Prediction | None:
    """Ask in which wiring scores change when another token is fed in, on the visitor's sentence."""
    before, after = both_wirings(lesson), fed_anew(lesson)
    step = _fed_step(list(before.values()))
    if len(before) < 2 or not step:
        return None
    apart = {
        named: float(np.abs(new.scores[step - 1] - old.scores[step - 1]).max())
        for (named, old), new in zip(before.items(), after.values(), strict=True)
    }
    fed = {plain_markdown(token_label(new.target[step - SECOND])): None for new in after.values()}
    tokens = " or ".join(f"“{token}”" for token in fed)
    if max(apart.values()) <= SAME:
        return None
    told = " and ".join(f"**{component(moved)}** in {named}" for named, moved in apart.items())
    bahdanau, luong = (moved > SAME for moved in apart.values())
    right = 2 if bahdanau and luong else 0 if bahdanau else 1
    return Prediction(
        f"At step {step - 1} both models are made to write another token, {tokens}, which is fed in at step {step}. In "
        f"which picture do the scores of step {step} change?",
        ("In Bahdanau's only", "In Luong's only", "In both"),
        right,
        f"The greatest change of a score is {told}.",
        "In Luong's wiring the word goes into the state that asks; in Bahdanau's the state that asks was finished "
        "before the word came.",
        (
            "Its asking state was made before the word was known.",
            "Its asking state is made from the word.",
            "One of the two has asked before the word counts.",
        ),
        step,
    )


def go_through(lesson: Trace) -> None:
    wiring = segments("Wiring", list(WIRINGS), FIRST_WIRING, "wiring")
    example = WIRINGS[wiring or FIRST_WIRING]
    steps = example.steps
    place = choose("Calculation", range(len(steps)), 0, "calculation", lambda place: plain_markdown(steps[place].name))
    step = steps[place]
    st.markdown(f"{equation(step)} &nbsp; {prose(step.text)}")
    matrices(example, step, example.run(), key="wiring-matrices", printed=False)


TWO_WIRINGS = Chapter(
    **TEXTS["wirings"],
    asked=changes,
    live=go_through,
    picture=Phase("ask", both_wirings, widths=(5, 11), then=fed_anew),
)
