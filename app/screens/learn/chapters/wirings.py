"""Chapter 8: two ways to wire attention into the decoder."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import streamlit as st

from regard.app.components.matrices.mount import matrices
from regard.app.models.models import attends, pretrained, title
from regard.app.models.registry import alike
from regard.app.models.traces import any_changed, recurrent, trace
from regard.app.screens.learn.chapter import TEXTS, Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import listed
from regard.app.screens.learn.subject import Subject
from regard.app.theme import component, percent
from regard.app.ui.widgets import segments
from regard.app.visitor.pickers import choose
from regard.app.visitor.question import telling_step
from regard.app.wording import plain_markdown
from regard.app.worked_example.markdown import equation, prose
from regard.model.alignment import token_label
from regard.model.changes.intervention import Intervention
from regard.model.examples.example import Example
from regard.model.examples.wiring_matrices import WORDS
from regard.model.examples.wirings import BAHDANAU, BAHDANAU_GENERAL, LUONG
from regard.model.input_error import InputError
from regard.model.tokenizer import STOP
from regard.model.trace import Trace

PUBLISHED: dict[str, Example] = {"Bahdanau 2015": BAHDANAU, "Luong 2015": LUONG}
WIRINGS: dict[str, Example] = {
    "Bahdanau 2015": BAHDANAU,
    "Bahdanau's order, general score": BAHDANAU_GENERAL,
    "Luong 2015": LUONG,
}
FIRST = next(iter(WIRINGS))
SECOND = 2  # the first step that is fed a token written before it
SAME = 1e-4  # below it two scores differ by rounding


def both(lesson: Subject) -> dict[str, Trace]:
    """Return the visitor's sentence in each wiring, Bahdanau's first, as far as models for them are on offer."""
    models = {lesson.model.network.config.wiring: lesson.model.name}
    for name in alike(lesson.model.name):
        with suppress(InputError):  # an unreadable model is reported where it is chosen
            if len(models) < len(PUBLISHED) and attends(name):
                models.setdefault(pretrained(name).network.config.wiring, name)
    return {title(name): trace(name, lesson.sentence, "") for _, name in sorted(models.items())}


def _step(traces: Sequence[Trace]) -> int:
    """Return the step, from 1, at which another token is fed in; 0 if a translation has no second step."""
    last = min(len(trace.target) for trace in traces)
    return min(max(telling_step(traces[-1]), SECOND), last) if last >= SECOND else 0


def _instead(trace: Trace, step: int) -> int:
    """Return the token that a translation writes before a step in place of its own: the likeliest of the others."""
    own = int(trace.target_ids[step - SECOND])
    return next(token for token in trace.top_ids[step - SECOND].tolist() if token not in (own, STOP))


def fed_anew(lesson: Subject) -> dict[str, Trace]:
    """Return both translations with another token written before the step that is asked about."""
    own = both(lesson)
    step = _step(list(own.values()))
    after: dict[str, Trace] = {}
    for named, before in own.items() if step else ():
        change = Intervention(tokens=((step - SECOND, _instead(before, step)),))
        new = recurrent(any_changed(before.maker.name, lesson.sentence, "", change))
        after[f"{named}: “{token_label(new.target[step - SECOND])}”"] = new
    return after or own


def changes(lesson: Subject) -> Prediction | None:
    """Ask in which wiring scores change when another token is fed in, on the visitor's sentence."""
    before, after = both(lesson), fed_anew(lesson)
    step = _step(list(before.values()))
    if len(before) < len(PUBLISHED) or not step:
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
    return _asked(
        f"At step {step - 1} both models are made to write another token, {tokens}, which is fed in at step {step}. In "
        f"which picture do the scores of step {step} change?",
        [moved > SAME for moved in apart.values()],
        f"The greatest change of a score is {told}.",
        step,
    )


def live(lesson: Subject) -> Prediction | None:
    wiring = segments("Wiring", list(WIRINGS), FIRST, "wiring")
    example = WIRINGS[wiring or FIRST]
    steps = example.steps
    place = choose("Calculation", range(len(steps)), 0, "calculation", lambda place: plain_markdown(steps[place].name))
    step = steps[place]
    st.markdown(f"{equation(step)} &nbsp; {prose(step.text)}")
    matrices(example, step, example.run(), key="wiring-matrices", printed=False)
    return None if changes(lesson) else _question()


def _question() -> Prediction:
    """Ask which weights change when another word is fed in."""
    sentences, moves = [], []
    for name, example in PUBLISHED.items():
        given = example.matrices()
        before = example.run(given)["weights"]
        after = example.run(given | {"y": -given["y"]})["weights"]
        moves.append(bool(np.abs(after - before).max() > 0))
        pairs = ", ".join(
            f"{word} {percent(old)} → {percent(new)}" for word, old, new in zip(WORDS, before, after, strict=True)
        )
        sentences.append(f"{name.split()[0]}: {pairs}.")
    y = LUONG.matrices()["y"]
    return _asked(
        "Everything before this step stays as it is, but another word was written last, so another word is fed in now. "
        "In which wiring do the weights of *this* step change?",
        moves,
        f"With y = {listed(-y)} in place of {listed(y)}. " + " ".join(sentences),
        0,
    )


def _asked(question: str, moves: list[bool], answer: str, step: int) -> Prediction:
    """Return the question which of the two wirings, Bahdanau's and Luong's, moves; at least one of them does."""
    right = {(True, False): 0, (False, True): 1, (True, True): 2}[moves[0], moves[1]]
    return Prediction(
        question,
        ("In Bahdanau's only", "In Luong's only", "In both"),
        right,
        answer,
        "In Luong's wiring the word goes into the state that asks; in Bahdanau's the state that asks was finished "
        "before the word came.",
        (
            "Its asking state was made before the word was known.",
            "Its asking state is made from the word.",
            "One of the two has asked before the word counts.",
        ),
        step,
    )


CHAPTER = Chapter(
    **TEXTS["wirings"], picture=Phase("ask", both, widths=(5, 11), asked=changes, then=fed_anew), live=live
)
