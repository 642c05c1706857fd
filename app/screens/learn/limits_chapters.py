"""Chapters 9 to 11: what weights do not show, how a network learned where to look, and Transformers."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices.mount import matrices
from regard.app.figures.heatmap import heatmap
from regard.app.figures.lesson import Palette, learned, ways, ways_from_looks, ways_from_start
from regard.app.figures.token_bars import chosen_token, exchanged_weights
from regard.app.models.analyses import looks
from regard.app.models.models import pretrained, snapshots, title
from regard.app.models.registry import languages, model_names
from regard.app.models.traces import trace, transformer_beside, transformer_trace
from regard.app.screens.learn.chapter import TEXTS, Chapter, Diagram, Phase, Prediction, Reading, Subject
from regard.app.screens.learn.exercises import choose_writing_step, token_name, vector, which_matters, written
from regard.app.theme import component, percent
from regard.app.ui.conclusions import FEW, MOST, exposure_conclusion
from regard.app.ui.plots import plot
from regard.app.ui.source_channels import fed_alike
from regard.app.ui.widgets import segments, table
from regard.app.wording import counted, listed, plain_markdown
from regard.app.worked_example.paper import prose
from regard.app.worked_example.trained_head import HeadPlace, head_input
from regard.model.alignment import Alignment, token_label
from regard.model.analysis.faithfulness import COUNTERFACTUALS, Counterfactual, replaced
from regard.model.examples.trained_attention import COLUMNS, SHOWN, worked_head
from regard.model.synthetic.exposure_bias import SEQUENCES, SETUP, recorded
from regard.model.synthetic.tasks import pair, sample
from regard.model.trace import AnyTrace, Trace
from regard.model.training.snapshots import Snapshots
from regard.model.transformer.trace import TransformerTrace

# Their places in `looks`, after the model's own weights.
UNIFORM, PERMUTED = (list(COUNTERFACTUALS).index(kind) + 1 for kind in ("uniform", "permuted"))
GAP = "\u2003"  # between tokens; a dot would look like the mark of a token that continues a word
OPTIONS = ("Two thirds or more", "Between one third and two thirds", "One third or fewer")
REMEMBERED = TEXTS["remembered"]["text"]
ALT = (
    "Annotations, mixed by the weights of attention, lead from the source to the word; the state, made of the words "
    "written so far, asks and leads to the word too; {}"
)


def even_weights(lesson: Subject) -> Prediction:
    trace = lesson.trace
    seen = looks(lesson.model.name, trace.alignment.source.text, "", 0)
    own, even, permuted = seen[0], seen[UNIFORM], seen[PERMUTED]
    nothing = replaced(lesson.model, trace, np.zeros_like(trace.weights), "no context")
    step = choose_writing_step(trace, "even")
    plot(
        exchanged_weights(trace, (own, even), step),
        "even",
        f"The model's own weights at step {step + 1}, and the same weight for every token",
    )
    st.markdown(_outcome(trace, even, step))
    table(ablations(trace, even, permuted, nothing), "The token that each step would write with other contexts")
    st.caption("Every step stands alone: what was written before it stays as it was.")
    fed_alike(trace, lesson.model.name)
    which_matters(lesson, step)
    return _how_many_stay(trace, even, permuted, nothing)


def ablations(
    trace: Trace, even: Counterfactual, permuted: Counterfactual, nothing: Counterfactual
) -> list[dict[str, str]]:
    """Return a row for each context: what every step would write, and how many tokens stay."""
    steps = range(len(trace.target))
    written = GAP.join(map(token_label, trace.target))
    rows = [("the model's own weights", written, np.ones(len(steps), dtype=bool))]
    labelled = {
        "the same weight everywhere": even,
        "its weights in another order": permuted,
        "no context: zeros": nothing,
    }
    for label, other in labelled.items():
        tokens = [token_label(trace.target[step]) if other.stays[step] else chosen_token(other, step) for step in steps]
        rows.append((label, GAP.join(tokens), other.stays))
    return [
        {"Context made with": label, "Each step would write": tokens, "Stay": f"{stays.sum()} of {len(steps)}"}
        for label, tokens, stays in rows
    ]


def _outcome(trace: Trace, even: Counterfactual, step: int) -> str:
    written = token_name(trace.target[step])
    before, after = (
        percent(float(value)) for value in (np.exp(trace.log_probabilities[step]), even.probabilities[step])
    )
    if even.stays[step]:
        return (
            f":material/check_circle: With the same weight everywhere, {written} **stays** the likeliest token "
            f"({before} before, {after} now)."
        )
    other = plain_markdown(chosen_token(even, step))
    return (
        f":material/swap_horiz: With the same weight everywhere, {written} gives way to **{other}**: its probability "
        f"goes from {before} to {after}."
    )


def _how_many_stay(trace: Trace, even: Counterfactual, permuted: Counterfactual, nothing: Counterfactual) -> Prediction:
    steps = len(trace.target)
    kept, moved, blind = (int(other.stays.sum()) for other in (even, permuted, nothing))
    share = kept / steps
    right = 0 if share >= MOST else 1 if share > FEW else 2
    return Prediction(
        f"The same is done at each of the {steps} steps, one at a time. How many tokens stay the same?",
        OPTIONS,
        right,
        f"**{kept} of {steps}** tokens {_stay(kept)} with the same weight everywhere ({percent(share)}), "
        f"**{moved} of {steps}** with the weights in another order. "
        f"With no context at all, **{blind} of {steps}** {_stay(blind)}.",
        (
            f"{_changed(trace, even)} A heatmap does not say which."
            if right == 0
            else "Some tokens change with even weights and others do not, and the heatmap does not say which."
            if right == 1
            else f"{'Most' if kept else 'All'} tokens change with even weights here. That is known now from the test, "
            "not from the heatmap."
        )
        + _source_needed(even, nothing),
        tuple("" if place == right else f"{'Fewer' if place < right else 'More'} stay." for place in range(3)),
    )


def _stay(count: int) -> str:
    return "stays" if count == 1 else "stay"


def _source_needed(even: Counterfactual, nothing: Counterfactual) -> str:
    """Say whether the tokens that stay with even weights stay without any context too; "" if none stays."""
    stay, lost = int(even.stays.sum()), int((even.stays & ~nothing.stays).sum())
    if not stay:
        return ""
    if not lost:
        return " The tokens that stay with even weights also stay without any context: there the state is enough."
    return (
        f" Even weights still bring the source in: of the {counted(stay, 'token')} that {_stay(stay)} with them, "
        f"{lost} {'is' if lost == 1 else 'are'} lost without any context."
    )


def _changed(trace: Trace, even: Counterfactual) -> str:
    """Return which tokens change with even weights, where few of them do."""
    changed = [token_name(token) for token, stays in zip(trace.target, even.stays, strict=True) if not stays]
    if not changed:
        return "With even weights no token of this translation changes."
    return f"With even weights only {listed(changed)} {'changes' if len(changed) == 1 else 'change'}."


LIMITS = Chapter(
    **TEXTS["limits"],
    picture=Diagram(ways, ALT.format("nothing leads from the source to the state")),
    live=even_weights,
    own=True,
    readings={
        "looks": Reading(
            REMEMBERED.format("remembers what earlier steps found there"),
            Diagram(ways_from_looks, ALT.format("what attention found before is kept in the state")),
        ),
        "start": Reading(
            REMEMBERED.format("begins from where the encoder's readings ended"),
            Diagram(ways_from_start, ALT.format("the state begins from where the encoder ended")),
        ),
    },
)


MODEL = "reverse-gru"  # the model whose training is recorded

TRAINED, LONGER = 20, 22  # numbers in the longest sequence trained on, and in the one of the question
SYMBOLS = 10
FOLLOWED = 10  # steps on the line that count as following it
HEIGHT = 420  # pixels
EARLY = 1 / 8  # of the run, for the second grid of the picture
SHORT = 3  # index of the watched sequence in the picture, which has seven numbers
NOT_RECORDED = "The recorded training of the reversal model is missing, so there is nothing to show."


def _diagram(palette: Palette) -> str:
    """Draw three moments of the recorded run; nothing where it is missing."""
    watched = snapshots(MODEL) if MODEL in model_names() else None
    return learned(palette, three_moments(watched) if watched else ())


def three_moments(watched: Snapshots) -> list[tuple[str, Float[ndarray, "T S"]]]:
    """Return the weights on a short sequence at the first update, about an eighth of the way, and at the last."""
    last = watched.moments[-1].update
    early = min(watched.moments, key=lambda moment: abs(moment.update - EARLY * last))
    moments = (watched.moments[0], early, watched.moments[-1])
    return [(f"update {moment.update:,}", moment.weights[SHORT]) for moment in moments]


def through_training(lesson: Subject) -> Prediction | None:
    watched = snapshots(MODEL) if MODEL in model_names() else None
    if watched is None:
        st.info(NOT_RECORDED)
        return None
    model, updates = pretrained(MODEL), [moment.update for moment in watched.moments]
    left, right = st.columns([1, 1], gap="medium")
    with left:
        place = st.select_slider(
            "Update of the training",
            range(len(updates)),
            len(updates) // 2,
            key="moment",
            bind="query-params",
            format_func=lambda place: f"{updates[place]:,}",
        )
        alt = f"Weights on a sequence of {TRAINED} numbers after {updates[place]:,} updates"
        plot(_drawn(watched.alignment(0, place, model.tokenizer)), "moment", alt)
        st.markdown(_written(watched, place))
    longer = trace(MODEL, _sequence()[0], "")
    with right:
        st.markdown(f"**{LONGER} numbers**, two more than it ever saw, read by the finished network:")
        plot(_drawn(longer.alignment), "longer", f"Weights on a sequence of {LONGER} numbers")
    return _too_long(longer)


def _drawn(alignment: Alignment) -> go.Figure:
    """Draw all steps in a figure that fits the screen."""
    return heatmap(alignment, "tokens", "output").update_layout(height=HEIGHT)


def _written(watched: Snapshots, place: int) -> str:
    moment, (source, wanted) = watched.moments[place], watched.pairs[0]
    right = sum(one == other for one, other in zip(moment.translations[0].split(), wanted.split(), strict=False))
    return (
        f"It reads {source} and writes {moment.translations[0] or 'nothing'}: {right} of {len(wanted.split())} numbers "
        "in their place."
    )


def _sequence() -> tuple[str, str]:
    """Return the numbers of the question, and the same backwards."""
    return pair("reverse", sample(LONGER, SYMBOLS, 1)[0])


def followed(trace: Trace) -> int:
    """Return how many steps, from the first on, look most at the number whose turn it is."""
    numbers = len(trace.source) - 1  # without `</s>`
    turns = numbers - 1 - np.arange(len(trace.target))
    off = np.flatnonzero(trace.weights.argmax(1) != turns)
    return int(off[0]) if len(off) else len(trace.target)


def _too_long(longer: Trace) -> Prediction:
    steps, wanted = followed(longer), _sequence()[1]
    right = 0 if longer.text == wanted else 1 if steps >= FOLLOWED else 2
    looked = longer.weights.argmax(1)
    after = ", ".join(str(int(place) + 1) for place in looked[steps:]) or "none"
    return Prediction(
        f"It was trained on sequences of up to {TRAINED} numbers and now reads {LONGER}. What does its attention do?",
        (
            "It follows the line to the first number, as before",
            "It follows the line for a while, then leaves it too early",
            "It finds no line: the sequence is too long for it from the start",
        ),
        right,
        f"For **{steps}** steps it looks at the number whose turn it is. After that it looks most at number {after} of "
        f"the source (1 is the first). It writes {len(longer.text.split())} of {LONGER} numbers.",
        "An explanation, which nothing here tests: the state knows the source only by the numbers it is fed, so it may "
        f"keep its place by counting steps, and in training step {TRAINED} was always at the first number or past it.",
        (
            "It leaves the line before the first number's turn has come.",
            "It stays on the line.",
            "The first steps are the usual ones: the last number, the one before it, and so on.",
        ),
    )


def fed_own(lesson: Subject) -> Prediction:
    """Ask which of two networks loses more when it is fed its own numbers; the runs were recorded."""
    exposures = recorded()
    seeds = sorted({each.seed for each in exposures})
    truth, own = ([each for each in exposures if each.teacher_forcing == forcing] for forcing in (1.0, 0.0))
    more = sum(one.lost > other.lost for one, other in zip(truth, own, strict=True))
    rows = [
        f"| {fed} | {_range([each.after_right for each in runs])} | {_range([each.after_own for each in runs])} | "
        f"{_range([each.lost for each in runs])} |"
        for fed, runs in (("the right numbers", truth), ("its own", own))
    ]
    return Prediction(
        "In training every step is fed the right number; when a network writes alone it is fed its own, mistakes "
        f"included. Two small networks learned to sort up to {SETUP.longest} numbers in {SETUP.updates} updates, one "
        "fed the right numbers and the other its own. Which loses more if it reads its own numbers in place of the "
        "right ones?",
        ("The one fed the right numbers", "The one fed its own", "The runs do not agree"),
        0 if more == len(seeds) else 1 if more == 0 else 2,
        f"{exposure_conclusion(exposures)} Right steps on {SEQUENCES} sequences of {SETUP.longest} numbers, as the "
        f"mean of {len(seeds)} such pairs, with the lowest and the highest:\n\n"
        "| Fed in training | After the right numbers | After its own | Lost |\n|---|---|---|---|\n" + "\n".join(rows),
        "A network that was only ever fed the truth has never met its own mistakes: *exposure bias*. *Watch it learn* "
        "trains such a pair as you watch: *Without teacher forcing*.",
        ("It loses less.", "It loses less: it met its own mistakes in training.", "They do."),
    )


def _range(shares: Sequence[float]) -> str:
    return f"{percent(float(np.mean(shares)))} [{percent(min(shares))}, {percent(max(shares))}]"


LEARNING = Chapter(
    **TEXTS["learning"],
    picture=Diagram(
        _diagram,
        "Three grids of the weights on seven numbers in the recorded run, at its first update, an eighth of the "
        "way and at its end: even at first, then blurred, at last a line from the upper right to the lower left",
    ),
    live=through_training,
    again=fed_own,
)


FIRST_HEAD = HeadPlace(layer=0, head=0, block=0)
OTHER_HEAD = 1
NUMBERS = "3 1 4 1 5 9"  # for a Transformer that reverses numbers
ROUNDING = 1e-4  # below this, two numbers differ only by rounding
NO_TRANSFORMER = "No readable Transformer is available."


def self_attention(lesson: Subject) -> None:
    trace = _translated(lesson)
    if trace is None:
        st.info(NO_TRANSFORMER)
        return
    name = trace.maker.name
    if len(trace.source) > COLUMNS:
        return
    if not _shared(name, lesson):
        st.info(
            f"No Transformer for these languages is available. This is “{plain_markdown(title(name))}”, on {NUMBERS}."
        )
    worked = worked_head(head_input(trace, "encoder", FIRST_HEAD), FIRST_HEAD.block)
    steps = {step.name: step for step in worked.example.steps}
    chosen = segments("Calculation", list(steps), "weights", "asked")
    step = steps.get(chosen or "", steps["weights"])
    st.markdown(prose(step.text))
    matrices(worked.example, step, worked.values, key="self-matrices", printed=False)
    st.caption(
        f"“{plain_markdown(title(name))}”, the encoder's first layer, head 1; components 1 to {SHOWN} of its vectors, "
        "computed in NumPy from the model's own; R holds what the others add."
    )


def both_orders(lesson: Subject) -> dict[str, AnyTrace]:
    """Return the translation by a Transformer, then that with two words exchanged, as far as there are such."""
    trace, after = _translated(lesson), _exchanged(lesson)
    return {one.alignment.source.text: one for one in (trace, after) if one}


def _places(trace: TransformerTrace) -> list[int]:
    """Return the places of the first and the last word that are one token each; none if they are the same token."""
    word_of, tokens = trace.alignment.source.word_of, trace.source
    spoken = [place for place, token in enumerate(tokens) if token.strip().isalnum()]
    alone = [place for place in spoken if word_of.count(word_of[place]) == 1]
    return [alone[0], alone[-1]] if alone and tokens[alone[0]] != tokens[alone[-1]] else []


def _exchanged(lesson: Subject) -> TransformerTrace | None:
    """Return the translation of the sentence with its first and last word exchanged; None if other tokens change."""
    trace = _translated(lesson)
    if trace is None or not (places := _places(trace)):
        return None
    text, (first, last) = trace.alignment.source.text, (trace.alignment.source.characters[place] for place in places)
    between = text[first.stop : last.start]
    changed = text[: first.start] + text[last.start : last.stop] + between + text[first.start : first.stop]
    after = transformer_trace(trace.maker.name, changed + text[last.stop :])
    expected = trace.source_ids.copy()
    expected[places] = expected[places[::-1]]
    return after if np.array_equal(after.source_ids, expected) else None


def _translated(lesson: Subject) -> TransformerTrace | None:
    """Return the translation of the visitor's sentence, or of numbers if no Transformer has its languages."""
    name = transformer_beside(lesson.model.name)
    return transformer_trace(name, lesson.sentence if _shared(name, lesson) else NUMBERS) if name else None


def _shared(name: str, lesson: Subject) -> bool:
    """True if the Transformer has the languages of the visitor's model."""
    return languages(name) == languages(lesson.model.name)


def keys(trace: TransformerTrace, place: int) -> Float[ndarray, " Q"]:
    """Return the head's key of a token."""
    return trace.encoder_attention.keys[FIRST_HEAD.layer, FIRST_HEAD.head, place]


def stays(lesson: Subject) -> Prediction | None:
    """Ask whether a word keeps its key when it changes places with another."""
    trace, after = _translated(lesson), _exchanged(lesson)
    if trace is None or after is None:
        return None
    place, other = _places(trace)
    first, last = (plain_markdown(token_label(trace.source[each])) for each in (place, other))
    before, moved, taken = keys(trace, place), keys(after, other), keys(trace, other)
    apart, from_other = (float(np.abs(moved - one).max()) for one in (before, taken))
    return Prediction(
        f"“{first}” and “{last}” change places. What happens to the key of “{first}”?",
        ("It gets other numbers", "It keeps its numbers", f"It gets the numbers that “{last}” had"),
        1 if apart < ROUNDING else 0,
        f"Components 1 to {SHOWN} before: {vector(before[:SHOWN])}. After, in the other place: "
        f"**{vector(moved[:SHOWN])}**. Of all {len(moved)}, the greatest difference is {written(apart)}; from the key "
        f"that “{last}” had there, {written(from_other)}.",
        "A key of the first layer is made from the word's embedding and the vector that a Transformer adds for its "
        "position. Every word asks all words wherever they stand, so only that vector tells the order.",
        (
            "Nothing is added for positions here, so its key is made from the same numbers.",
            "Its embedding is the same, but a vector for each position was added, and another one now.",
            "The vector for the position belongs to the place, but the embedding to the word.",
        ),
    )


def answers_back(lesson: Subject) -> Prediction | None:
    """Ask whether a word gives another the weight that it gets from it, where the two differ most. The head is another
    than the one whose weights stand above."""
    trace = _translated(lesson)
    words = [place for place, token in enumerate(trace.source) if token.strip().isalnum()] if trace else []
    if trace is None or len(words) < 2:
        return None
    attention = trace.encoder_attention
    head = OTHER_HEAD % attention.weights.shape[1]
    weights = attention.weights[FIRST_HEAD.layer, head]
    apart = np.abs(weights - weights.T)[np.ix_(words, words)]
    one, other = sorted(words[place] for place in np.unravel_index(apart.argmax(), apart.shape))
    first, second = (f"“{plain_markdown(token_label(trace.source[place]))}”" for place in (one, other))
    there, back = (percent(float(weights[place])) for place in ((one, other), (other, one)))
    queries, keys = (each[FIRST_HEAD.layer, head] for each in (attention.queries, attention.keys))
    scores = [float(queries[a] @ keys[b] / np.sqrt(keys.shape[1])) for a, b in ((one, other), (other, one))]
    right = 0 if there == back else 1 if weights[other, one] > weights[one, other] else 2
    return Prediction(
        f"In the encoder's first layer, head {head + 1}, {first} gives {second} a weight of {there}. What does "
        f"{second} give {first} in return?",
        (f"{there} as well", "More", "Less"),
        right,
        f"{second} gives {first} **{back}**. The score of {first} asking is {component(scores[0])}, that of {second} "
        f"asking {component(scores[1])}.",
        "The query of one meets the key of the other, and queries and keys are made by two matrices: asking back is "
        "another dot product. And each word's softmax is over scores of its own.",
        ("Neither the two scores nor the two sums need to be equal.", "It gives less.", "It gives more."),
    )


TRANSFORMERS = Chapter(
    **TEXTS["transformers"],
    picture=Phase("read", both_orders, widths=(6, 10), asked=stays),
    live=self_attention,
    own=True,
    again=answers_back,
)
