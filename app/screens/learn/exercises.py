"""Exercises of the lesson: a number on paper, ten lines of NumPy, which token matters most, merging tokens into words.

On paper the reader types a number, which is checked, and after two tries its working is shown. A program is never run:
its output is pasted and compared. Leaving out source token i changes the distribution over the next token by o_ti, the
total variation distance of `regard.model.analysis.faithfulness.leave_one_out`; Kendall's τ compares its order with that
of the weights. A source word's weight is the sum over its tokens, a target word's the mean over its steps, so every row
still adds up to 1.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices import sums
from regard.app.components.matrices.sums import PLACES, shortest
from regard.app.figures.token_bars import importance_bars
from regard.app.models.analyses import attention_taus, importance
from regard.app.screens.learn.chapter import Prediction, Subject
from regard.app.theme import component, percent
from regard.app.ui.plots import plot
from regard.app.ui.widgets import table
from regard.app.visitor.pickers import ONLY, as_markdown, choose
from regard.app.visitor.question import opening_step
from regard.app.visitor.sentence_input import ask
from regard.app.wording import plain_markdown
from regard.app.worked_example.study import source
from regard.model.alignment import Alignment
from regard.model.arithmetic.quantity import source_text
from regard.model.examples.operations import Entry
from regard.model.examples.tutorials import ON_PAPER, QUERY, WORDS
from regard.model.trace import Trace

DIGITS = 4  # after the point, at most


def written(value: float) -> str:
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")


def signed(value: float) -> str:
    """Return a number as a factor, in brackets if it is negative."""
    return f"({written(value)})" if value < 0 else written(value)


def equals(made: Iterable[float], shown: Iterable[float]) -> str:
    """Return "=" if the numbers on screen give the written result exactly, else "≈"."""
    return "=" if list(map(written, made)) == list(map(written, shown)) else "≈"


def vector(values: Iterable[float]) -> str:
    return f"({', '.join(map(written, values))})"


def choose_writing_step(trace: Trace, key: str) -> int:
    """Return the chosen step, from 0, picked by the token it writes; the middle one at first."""
    steps = range(len(trace.target))
    middle = opening_step(len(steps)) - 1
    return choose("A step, by the token it writes", steps, middle, key, lambda step: as_markdown(trace.target[step]))


def written_so_far(trace: Trace, step: int) -> str:
    """Return the tokens written before a step, from 0, as Markdown."""
    return " ".join(map(token_name, trace.target[:step])) or "nothing yet"


def source_choice(trace: Trace, place: int) -> str:
    """Return a source token as an option to choose, numbered if there are several of it."""
    return plain_markdown(source_text(trace, place))


def token_name(token: str) -> str:
    """Return a token as bold Markdown for use in a sentence."""
    return f"**{as_markdown(token)}**"


TOLERANCE = 0.01  # tolerance for rounding on the way
TRIES = 2  # wrong numbers until the working is shown
FARTHEST = 1e6
VALUES = ON_PAPER.run()
STEPS = {step.name: step for step in ON_PAPER.steps}
ONE_OF = {"scores": "a score", "weights": "a weight", "context": "a number of the context"}
ASKED = {"scores": 2, "weights": 1, "context": 0}  # index of the number asked for, by step


def asked_entry(step: str) -> Entry:
    """Return the entry of a step that the reader computes."""
    return STEPS[step].operation.entry(VALUES, 0, ASKED[step])


def paper(step: str, question: str, shown: Mapping[str, Sequence[str]]) -> None:
    """Ask for one entry of a step of the example; `shown` has everything needed for it, with a column of words."""
    key, entry = f"paper-{step}", asked_entry(step)
    about = f"**On paper**: compute {ONE_OF[step]} by hand"  # differs by chapter, so that each begins folded
    with st.container(key="paper"), st.expander(about, icon=":material/edit:"):
        st.markdown(question)
        heads = ["Word", *shown]
        rows = zip(WORDS, *shown.values(), strict=True)
        table([dict(zip(heads, row, strict=True)) for row in rows], "What is needed for it")
        typed = st.number_input(
            "Your result",
            min_value=-FARTHEST,
            max_value=FARTHEST,
            value=None,
            step=TOLERANCE,
            format="%g",
            key=key,
            placeholder="Type it and press Enter",
            width=260,
            on_change=_count,
            args=(key, entry.combined),
        )
        if typed is not None:
            st.markdown(verdict(typed, entry.combined, share=entry.ending == "share"))
        if st.session_state.get(f"{key}-tries", 0) >= TRIES:
            st.markdown("The working:")
            st.latex(working(entry))


def near(typed: float, value: float) -> bool:
    """Return True if the typed number is the value, up to rounding."""
    return abs(typed - value) <= TOLERANCE + 1e-9


def verdict(typed: float, value: float, share: bool) -> str:
    """Return the verdict on a typed number, as Markdown; a share may be given in percent."""
    if near(typed, value):
        exact = "" if typed == value else f" To four digits it is {written(value)}."
        return f":material/check_circle: **Right.**{exact}"
    if share and near(typed / 100, value):
        return f":material/check_circle: **Right, in percent.** As a share of 1 it is {written(value)}."
    side = "high" if typed > value else "low"
    return f":material/edit: **Not yet.** {written(typed)} is too {side} by {written(abs(typed - value))}."


def working(entry: Entry) -> str:
    """Return the sum or the share written out as LaTeX, one link of the chain on each line."""
    lines = [""]
    for group in sums.written(entry, shortest(entry.combined, PLACES)):
        part = "".join(f"^{{{bit.text}}}" if bit.raised else bit.text for bit in group).replace("}^{", "")
        lines = [*lines, part] if part.startswith(("=", "≈")) else [*lines[:-1], f"{lines[-1]} {part}".strip()]
    gathered = r" \\[1ex] ".join(lines).replace("·", r" \cdot ")
    return rf"\begin{{gathered}} {gathered} \end{{gathered}}"


def column(step: str) -> list[str]:
    """Return the numbers of a step, or of the annotations, as text, one for each word."""
    return [vector(value) if np.ndim(value) else written(value) for value in VALUES[step]]


def powers() -> list[str]:
    """Return e to the power of each score, to three digits."""
    return [written(round(float(power), 3)) for power in np.exp(VALUES["scores"])]


def _count(key: str, value: float) -> None:
    """Count one more wrong number."""
    typed = st.session_state[key]
    if typed is not None and not near(typed, value):
        st.session_state[f"{key}-tries"] = st.session_state.get(f"{key}-tries", 0) + 1


QUERY_VALUES = QUERY.run()
QUERY_STEPS = ("scores", "weights", "context")
NEAR = 5e-3  # tolerance for printing only a few digits
PRINTED_CHARACTERS = 2000  # characters that are read
NUMBER = re.compile(r"[-−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TASK = (
    "A query `q` and four annotations, the rows of `H`. Write the rest on your own computer: the dot scores, their "
    "softmax, the context. Print the three and paste what you see: the app only compares its numbers with its own."
)


def starter() -> str:
    """Return the first lines of the program, with the numbers of the example."""
    rows = ",\n              ".join(str(row.tolist()) for row in QUERY_VALUES["H"])
    return (
        "import numpy as np\n\n"
        f"q = np.array({QUERY_VALUES['q'].tolist()})\nH = np.array([{rows}])\n\n"
        "scores = ...   # one for each row of H\n"
        "weights = ...  # shares that add up to 1\n"
        "context = ...  # as long as a row of H\n"
        "print(scores, weights, context)"
    )


def write_it() -> None:
    about = "**Write it yourself**: ten lines of NumPy, checked here"
    with st.container(key="write"), st.expander(about, icon=":material/code:"):
        st.markdown(TASK)
        source(starter())
        typed = st.text_area("What your program prints", key="printed", max_chars=PRINTED_CHARACTERS, height=80)
        if typed.strip():
            st.markdown("  \n".join(checked(typed)))


def checked(typed: str) -> list[str]:
    """Return a verdict on each of the three results, in order; only numbers are read from the text."""
    numbers = [float(text.replace("−", "-")) for text in NUMBER.findall(typed[:PRINTED_CHARACTERS])]
    wanted = [np.atleast_1d(QUERY_VALUES[step]) for step in QUERY_STEPS]
    needed = sum(map(len, wanted))
    if len(numbers) != needed:
        parts = zip(map(len, wanted), ("scores", "weights", "of the context"), strict=True)
        counted = ", ".join(f"{count} {what}" for count, what in parts)
        return [f"Here are {len(numbers)} numbers; {needed} are needed: {counted}."]
    verdicts, before = [], 0
    for step, right in zip(QUERY_STEPS, wanted, strict=True):
        mine = np.array(numbers[before : before + len(right)])
        before += len(right)
        verdicts.append(_written_verdict(step, mine, right))
    return verdicts


def _written_verdict(step: str, mine: np.ndarray, right: np.ndarray) -> str:
    if np.abs(mine - right).max() <= NEAR:
        return f":material/check_circle: **{step}**: right."
    return f":material/edit: **{step}**: not yet. {HINTS[step](mine)}"


def _of_weights(mine: np.ndarray) -> str:
    if np.abs(mine.sum() - 1) > NEAR:
        return f"They add up to {mine.sum():.3f}, not to 1: divide by the sum of all powers."
    return "They add up to 1, but are not the softmax of the scores: raise e to the power of each first."


def _of_context(mine: np.ndarray) -> str:
    if np.abs(mine - QUERY_VALUES["H"].mean(0)).max() <= NEAR:
        return "That is the plain mean of the rows; each row counts as much as its weight says."
    return "Each row of H times its weight, then added up: `weights @ H`."


SCORES = "Each is the dot product of a row of H with q: `H @ q`."
HINTS = {"scores": lambda _: SCORES, "weights": _of_weights, "context": _of_context}


GUESSED = ":material/check_circle: **As you guessed.**"
MISSED = ":material/lightbulb: **Not this one.**"


def which_matters(lesson: Subject, step: int) -> None:
    """Ask for the most important source token of a step (from 0), and show both measures once one is chosen."""
    trace, sentence = lesson.trace, lesson.sentence
    st.markdown(
        f"**Is the heaviest token the most important one?** Look at the weights of step {step + 1} above. Which source "
        "token, left out of the sentence, would change the probabilities of this step most?"
    )
    guess = st.pills(
        "Your guess",
        range(len(trace.source) - 1),  # `</s>` cannot be left out
        key=f"heaviest-{lesson.model.name}-{sentence}-{step}",
        format_func=lambda place: as_markdown(trace.source[place]),
    )
    if guess is None:
        return
    left_out = importance(lesson.model.name, sentence, "")["leave_one_out"]
    plot(
        importance_bars(trace, {"weight": trace.weights, "leave_one_out": left_out}, step),
        "importance",
        f"Weights of step {step + 1}, and how far leaving out each source token changes its probabilities",
    )
    taus = attention_taus(lesson.model.name, sentence, "", ONLY)["leave_one_out"]
    st.markdown(importance_verdict(trace, left_out, taus, step, guess))


def importance_verdict(
    trace: Trace, left_out: Float[ndarray, "T S"], taus: Float[ndarray, " T"], step: int, guess: int
) -> str:
    """Return, as Markdown, which token comes first by either measure and how far the two orders agree."""
    most, heaviest = int(np.nanargmax(left_out[step])), int(trace.weights[step].argmax())
    return (
        f"{GUESSED if guess == most else MISSED} Leaving out {token_name(trace.source[most])} changes this step most, "
        f"by {percent(float(left_out[step, most]))}; the heaviest weight is on {token_name(trace.source[heaviest])}. "
        "Kendall's τ measures how far the two orders of all tokens agree, from −1 (reversed) over 0 to 1 (the same): "
        f"**{_tau(taus[step])}** at this step, **{_tau(float(np.nanmean(taus)))}** on average over this translation."
    )


def _tau(value: float) -> str:
    return "undefined" if np.isnan(value) else component(float(value))


EXAMPLE = "The firefighter is brave."  # one word of it is four tokens to the shipped models


def with_pieces(alignment: Alignment) -> None:
    """Offer another sentence if every word of this one is one token."""
    if not pieces(alignment) and alignment.source.language == "en":
        offer = f"Take “{EXAMPLE}”, which has a word of several tokens"
        if st.button(offer, type="tertiary", on_click=ask, args=(EXAMPLE,)):
            st.rerun()  # rerun the whole page, whose sentence has changed


def pieces(alignment: Alignment) -> Prediction | None:
    """Ask for the weight of the source word with the most tokens, at the step that spreads most over them."""
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
