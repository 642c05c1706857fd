"""Chapters 9 to 11: what weights do not show, how a network learned where to look, and Transformers."""

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices.mount import matrices
from regard.app.figures.heatmap import heatmap
from regard.app.figures.token_bars import chosen_token, exchanged_weights
from regard.app.lesson.chapter import (
    TEXTS,
    Chapter,
    Phase,
    Prediction,
    choose_writing_step,
    source_choice,
    token_name,
    vector,
    written,
)
from regard.app.models.analyses import attention_taus, importance, looks
from regard.app.models.models import pretrained, snapshots, title
from regard.app.models.registry import languages, model_names
from regard.app.models.traces import trace, transformer_beside, transformer_parameters, transformer_trace
from regard.app.theme import component, percent
from regard.app.ui.conclusions import FEW, MOST, fed_alike
from regard.app.ui.plots import plot
from regard.app.ui.widgets import segments, table
from regard.app.visitor.pickers import ONLY
from regard.app.visitor.question import telling_step
from regard.app.wording import plain_markdown
from regard.app.worked_example.paper import prose
from regard.model.alignment import Alignment, token_label
from regard.model.analysis.faithfulness import COUNTERFACTUALS, Counterfactual, replaced
from regard.model.examples.trained_attention import COLUMNS, SHOWN, HeadPlace, head_input, worked_head
from regard.model.synthetic.exposure_bias import SEQUENCES, SETUP, recorded
from regard.model.synthetic.tasks import pair, sample
from regard.model.trace import AnyTrace, Trace
from regard.model.training.snapshots import Snapshots
from regard.model.transformer.trace import TransformerTrace

# Their places in `looks`, after the model's own weights.
UNIFORM, PERMUTED = (list(COUNTERFACTUALS).index(kind) + 1 for kind in ("uniform", "permuted"))
GAP = "\u2003"  # between tokens; a dot would look like the mark of a token that continues a word
OPTIONS = ("Two thirds or more", "Between one third and two thirds", "One third or fewer")


def even_weights(trace: Trace) -> None:
    own, *others = exchanged(trace).values()
    step = choose_writing_step(trace, "even")
    plot(
        exchanged_weights(trace, (own, others[0]), step),
        "even",
        f"The model's own weights at step {step + 1}, and the same weight for every token",
    )
    st.markdown(_outcome(trace, others[0], step))
    table(ablations(trace), "The token that each step would write with other contexts")
    st.caption("Each step is computed on its own: the tokens written before it stay as they were.")
    fed_alike(trace, trace.maker.name)


def exchanged(trace: Trace) -> dict[str, Counterfactual]:
    """Return what every step would write with the model's own weights, and with other contexts."""
    seen = looks(trace.maker.name, trace.alignment.source.text, "", 0)
    return {
        "the model's own weights": seen[0],
        "the same weight everywhere": seen[UNIFORM],
        "its weights in another order": seen[PERMUTED],
        "no context: zeros": replaced(pretrained(trace.maker.name), trace, np.zeros_like(trace.weights), "no context"),
    }


def ablations(lesson: Trace) -> list[dict[str, str]]:
    """Return a row for each context: what every step would write, and how many tokens stay."""
    rows = []
    for label, other in exchanged(lesson).items():
        tokens = [
            token_label(token) if other.stays[step] else chosen_token(other, step)
            for step, token in enumerate(lesson.target)
        ]
        stay = f"{other.stays.sum()} of {len(tokens)}"
        rows.append({"Context made with": label, "Each step would write": GAP.join(tokens), "Stay": stay})
    return rows


def _outcome(trace: Trace, even: Counterfactual, step: int) -> str:
    written, likeliest = token_name(trace.target[step]), plain_markdown(chosen_token(even, step))
    own, other = (percent(float(one)) for one in (np.exp(trace.log_probabilities[step]), even.probabilities[step]))
    return (
        f"With the same weight everywhere, the probability of {written} goes from {own} to {other}; the "
        f"likeliest token {'stays the same' if even.stays[step] else f'is then **{likeliest}**'}."
    )


def how_many_stay(lesson: Trace) -> Prediction:
    """Ask how many tokens stay with even weights, and tell how many stay with others and with none."""
    steps = len(lesson.target)
    kept, moved, blind = (int(other.stays.sum()) for other in list(exchanged(lesson).values())[1:])
    share = kept / steps
    right = 0 if share >= MOST else 1 if share > FEW else 2
    return Prediction(
        f"At each step in turn, all source tokens get the same weight. How many of the {steps} tokens written stay the "
        "same?",
        OPTIONS,
        right,
        f"**{kept} of {steps}** {_stay(kept)} with the same weight everywhere ({percent(share)}), "
        f"**{moved} of {steps}** with the weights in another order. "
        f"With no context at all, **{blind} of {steps}** {_stay(blind)}.",
        "Which tokens need these weights is known from the test; a heatmap does not say it.",
    )


def _stay(count: int) -> str:
    return "stays" if count == 1 else "stay"


def most_important(trace: Trace) -> Prediction | None:
    """Ask which of the heaviest tokens of a step changes it most if it is left out."""
    step = telling_step(trace) - 1
    heaviest = np.argsort(-trace.weights[step, :-1], kind="stable")[:3].tolist()  # `</s>` cannot be left out
    if len(heaviest) < 3:
        return None
    left_out = importance(trace.maker.name, trace.alignment.source.text, "")["leave_one_out"][step]
    taus = attention_taus(trace.maker.name, trace.alignment.source.text, "", ONLY)["leave_one_out"]
    places = sorted(heaviest)
    changed = [f"{source_choice(trace, place)}: {percent(float(left_out[place]))}" for place in places]
    agreement = "undefined" if np.isnan(taus[step]) else component(float(taus[step]))
    return Prediction(
        f"At step {step + 1}, which writes {token_name(trace.target[step])}, these source tokens weigh most. Which of "
        "them, left out of the sentence, changes the probabilities of the step most?",
        tuple(f"{source_choice(trace, place)} ({percent(float(trace.weights[step, place]))})" for place in places),
        int(np.argmax(left_out[places])),
        f"Left out, they change it by: {', '.join(changed)}. Kendall's τ, from −1 (reversed) over 0 to 1 (the same), "
        f"says how far the orders of all tokens by weight and by this change agree: **{agreement}** at this step.",
        "A weight is a share of the context. Every annotation has read the whole sentence, so a token can matter "
        "through others too.",
        step=step + 1,
    )


LIMITS = Chapter(
    **TEXTS["limits"],
    asked=how_many_stay,
    live=even_weights,
    picture=Phase("mix", covers=False),
    own=True,
    again=most_important,
)


MODEL = "reverse-gru"  # the model whose training is recorded

TRAINED, LONGER = 20, 22  # numbers in the longest sequence trained on, and in the one of the question
SYMBOLS = 10
FOLLOWED = 10  # steps on the line that count as following it
HEIGHT, LOW = 420, 270  # pixels
NOT_RECORDED = "The recorded training of the reversal model is missing, so there is nothing to show."


def _watched() -> Snapshots | None:
    """Return the recorded training, or say that it is missing."""
    watched = snapshots(MODEL) if MODEL in model_names() else None
    if watched is None:
        st.info(NOT_RECORDED)
    return watched


def finished_line() -> None:
    """Draw the weights of the finished network."""
    if watched := _watched():
        _heatmap(watched.alignment(0, -1, pretrained(MODEL).tokenizer), "line", "the finished network", LOW)


def _heatmap(alignment: Alignment, key: str, which: str, height: int = HEIGHT) -> None:
    """Draw all steps in a figure that fits the screen."""
    figure = heatmap(alignment, "tokens", "output").update_layout(height=height)
    plot(figure, key, f"Weights of {which} on a sequence of {len(alignment.source.words) - 1} numbers")


def through_training(lesson: Trace) -> None:
    watched = _watched()
    if watched is None:
        return
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
        alignment = watched.alignment(0, place, model.tokenizer)
        _heatmap(alignment, "moment", f"the network after {updates[place]:,} updates")
        moment, (source, wanted) = watched.moments[place], watched.pairs[0]
        right_places = sum(a == b for a, b in zip(moment.translations[0].split(), wanted.split(), strict=False))
        st.markdown(
            f"It reads {source} and writes {moment.translations[0] or 'nothing'}: {right_places} of "
            f"{len(wanted.split())} numbers are in the right place."
        )
    with right:
        st.markdown(f"**{LONGER} numbers**, two more than it was trained on, read by the finished network:")
        _heatmap(trace(MODEL, _sequence()[0], "").alignment, "longer", "the finished network")


def _sequence() -> tuple[str, str]:
    """Return the numbers of the question, and the same backwards."""
    return pair("reverse", sample(LONGER, SYMBOLS, 1)[0])


def followed(trace: Trace) -> int:
    """Return how many steps, from the first on, look most at the number whose turn it is."""
    numbers = len(trace.source) - 1  # without `</s>`
    turns = numbers - 1 - np.arange(len(trace.target))
    off = np.flatnonzero(trace.weights.argmax(1) != turns)
    return int(off[0]) if len(off) else len(trace.target)


def too_long(lesson: Trace) -> Prediction | None:
    """Ask what attention does on a sequence longer than those of the training."""
    if MODEL not in model_names():
        return None
    longer = trace(MODEL, _sequence()[0], "")
    steps, wanted = followed(longer), _sequence()[1]
    right = 0 if longer.text == wanted else 1 if steps >= FOLLOWED else 2
    looked = longer.weights.argmax(1)
    after = ", ".join(str(int(place) + 1) for place in looked[steps:]) or "none"
    return Prediction(
        f"The network was trained on sequences of up to {TRAINED} numbers. What does its attention do on {LONGER}?",
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


def fed_own(lesson: Trace) -> Prediction:
    """Ask which of two networks loses more when it is fed its own numbers; the runs were recorded."""
    exposures = recorded()
    truth, own = ([each for each in exposures if each.teacher_forcing == forcing] for forcing in (1.0, 0.0))
    more = sum(one.lost > other.lost for one, other in zip(truth, own, strict=True))
    shares = [
        f"fed {fed}, {percent(float(np.mean([run.after_right for run in runs])))} after the right numbers and "
        f"{percent(float(np.mean([run.after_own for run in runs])))} after its own"
        for fed, runs in (("the right numbers", truth), ("its own", own))
    ]
    return Prediction(
        "In training every step is fed the right number; when a network writes alone it is fed its own, mistakes "
        f"included. Two small networks learned to sort up to {SETUP.longest} numbers, one fed the right numbers, the "
        "other its own. Which loses more if it reads its own numbers in place of the right ones?",
        ("The one fed the right numbers", "The one fed its own", "The runs do not agree"),
        0 if more == len(truth) else 1 if more == 0 else 2,
        f"In **{more} of {len(truth)}** pairs the one fed the right numbers loses more. Right steps on {SEQUENCES} "
        f"sequences of {SETUP.longest} numbers, as means of the pairs: {'; '.join(shares)}.",
        "A network that was only ever fed the truth has never met its own mistakes: *exposure bias*.",
    )


LEARNING = Chapter(**TEXTS["learning"], asked=too_long, live=through_training, again=fed_own, figure=finished_line)


FIRST_HEAD = HeadPlace(layer=0, head=0, block=0)
OTHER_HEAD = 1
NUMBERS = "3 1 4 1 5 9"  # for a Transformer that reverses numbers
ROUNDING = 1e-4  # below this, two numbers differ only by rounding
NO_TRANSFORMER = "No readable Transformer is available."


def self_attention(lesson: Trace) -> None:
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
    head = head_input(trace, transformer_parameters(name), "encoder", FIRST_HEAD)
    worked = worked_head(head, FIRST_HEAD.block)
    steps = {step.name: step for step in worked.example.steps}
    chosen = segments("Calculation", list(steps), "weights", "asked")
    step = steps.get(chosen or "", steps["weights"])
    st.markdown(prose(step.text))
    matrices(worked.example, step, worked.values, key="self-matrices", printed=False)
    st.caption(
        f"“{plain_markdown(title(name))}”, the encoder's first layer, head 1; components 1 to {SHOWN} of its vectors, "
        "computed in NumPy from the model's own; R holds what the others add."
    )


def both_orders(lesson: Trace) -> dict[str, AnyTrace]:
    """Return the translation by a Transformer, then that with two words exchanged, as far as there are such."""
    trace, after = _translated(lesson), _exchanged(lesson)
    return {one.alignment.source.text: one for one in (trace, after) if one}


def _places(trace: TransformerTrace) -> list[int]:
    """Return the places of the first and the last word that are one token each; none if they are the same token."""
    word_of, tokens = trace.alignment.source.word_of, trace.source
    spoken = [place for place, token in enumerate(tokens) if token.strip().isalnum()]
    alone = [place for place in spoken if word_of.count(word_of[place]) == 1]
    return [alone[0], alone[-1]] if alone and tokens[alone[0]] != tokens[alone[-1]] else []


def _exchanged(lesson: Trace) -> TransformerTrace | None:
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


def _translated(lesson: Trace) -> TransformerTrace | None:
    """Return the translation of the visitor's sentence, or of numbers if no Transformer has its languages."""
    name = transformer_beside(lesson.maker.name)
    return transformer_trace(name, lesson.alignment.source.text if _shared(name, lesson) else NUMBERS) if name else None


def _shared(name: str, lesson: Trace) -> bool:
    """True if the Transformer has the languages of the visitor's model."""
    return languages(name) == languages(lesson.maker.name)


def keys(trace: TransformerTrace, place: int) -> Float[ndarray, " Q"]:
    """Return the head's key of a token."""
    return trace.encoder_attention.keys[FIRST_HEAD.layer, FIRST_HEAD.head, place]


def stays(lesson: Trace) -> Prediction | None:
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


def answers_back(lesson: Trace) -> Prediction | None:
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
    )


TRANSFORMERS = Chapter(
    **TEXTS["transformers"],
    asked=stays,
    live=self_attention,
    picture=Phase("read", both_orders, widths=(6, 10)),
    own=True,
    again=answers_back,
)
