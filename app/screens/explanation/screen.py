"""Is attention an explanation? Replaces a step's weights, and compares attention with other measures of importance."""

from collections.abc import Sequence

import streamlit as st

from regard.app.figures import token_bars
from regard.app.glossary.terms import definitions
from regard.app.models.analyses import attention_faithfulness, attention_taus, importance, looks
from regard.app.models.models import any_pretrained, attends, scores, title
from regard.app.models.traces import any_trace
from regard.app.screens.explanation.scores import measured, sample, share_kept, tau
from regard.app.theme import percent
from regard.app.ui.conclusions import conclusions, fed_alike, known
from regard.app.ui.plots import plot, subject
from regard.app.ui.widgets import draw_again, head, question_fields, seed_field, table
from regard.app.visitor.pickers import choose_step, head_field
from regard.app.visitor.question import Question, telling_step
from regard.app.visitor.sentence_input import any_readable, begin, question_or_stop
from regard.app.visitor.translated_text import text_row
from regard.app.wording import PUBLISHED, many_heads, plain_markdown
from regard.model.alignment import token_label
from regard.model.analysis.faithfulness import Counterfactual
from regard.model.evaluation.attention_faithfulness import faithfulness_scores, tau_summary
from regard.model.trace import AnyTrace
from regard.model.word_alignment.from_attention import alignment_of

EXCHANGED = (
    "An exchange gives the same weights to every head of every layer. The model's own result comes from its heads as "
    "they are, each with its own weights; below it, every head is given their mean."
)
ELSEWHERE = (
    "At this one step other weights replace the model's own; everything before it stays. The first figure shows the "
    "weights; the second the likeliest next tokens, with the translation's token marked and in colour."
)
NO_ATTENTION = (
    "This model has no attention: its first and its last token always weigh one half each. Uniform and permuted "
    "weights change nothing, and the others only move weight between the two ends."
)
FORCED = "“Stays” refers to the model's own choice at each step, which may differ from your word."
TAU = (
    "τ compares the whole order, even among tokens with hardly any weight: two measures may share the highest bar and "
    "still have a low τ."
)
SHARES = (
    "Weights and gradient × input are shares: those of a step add up to 100%. Leaving one out is a distance between "
    "distributions: 0% if every next token stays as likely as it was, 100% if nothing stays. The end of the sentence "
    "cannot be left out."
)
CONTEXT = (
    "The published results are about other systems, most of them larger, other languages and other tasks: context, not "
    "a target. The model measured here is “{}”{}."
)
TABS = ("Other weights", "Every step", "Other measures of importance", "What the state knows", "Published results")
COUNTED = {"function": "Function words", "content": "Content words"}
PAIRS = {
    "gradient_by_input": "weight and gradient × input",
    "leave_one_out": "weight and leaving one out",
    "between": "gradient × input and leaving one out",
}


@st.fragment
def study(trace: AnyTrace, question: Question) -> None:
    """Show one step, and the counts over all of them."""
    step = choose_step(trace, question, telling_step(trace) - 1)
    seen = looks(question.model, question.sentence, question.given, st.session_state.seed)
    exchange, steps, importances, known_of_source, others = st.tabs(TABS)
    with exchange:
        elsewhere(trace, seen, step)
    with steps:
        every_step(trace, seen, question, step)
    with importances:
        beside(trace, question, step)
    with known_of_source:
        st.markdown(known(question.model))
        fed_alike(trace, question.model)
    with others:
        published(question.model)


def elsewhere(trace: AnyTrace, seen: Sequence[Counterfactual], step: int) -> None:
    """Replace the weights of the step, and show what each replacement gives."""
    name, (left, right) = trace.maker.name, st.columns([3, 2])
    with left:
        alt = f"Weights of step {step + 1}, and {len(seen) - 1} others instead"
        plot(token_bars.exchanged_weights(trace, seen, step), "weights", alt, subject(trace))
    with right:
        alt = f"Likeliest tokens of step {step + 1} with each set of weights"
        plot(token_bars.distributions(trace, seen, step), "next", alt, subject(trace))
    st.caption(ELSEWHERE)
    if not attends(name):
        st.info(NO_ATTENTION)
    if heads := many_heads(any_pretrained(name).config):
        st.caption(f"{heads} {EXCHANGED}")
    definitions("weight", "counterfactual", "exchanges")


def every_step(trace: AnyTrace, seen: Sequence[Counterfactual], question: Question, step: int) -> None:
    """Show at which steps each replacement changes the token, its result at this step, and how many words stay."""
    (own, *others), rows = seen, []
    steps = [f"{place} {token_label(token)}" for place, token in enumerate(trace.target, start=1)]
    for variant in others:
        signs = zip(steps, variant.stays, strict=True)
        rows.append({"Weights": variant.kind} | {name: "=" if stays else "≠" for name, stays in signs})
    table(rows, "Whether each step takes the same token under each exchange")
    faithfulness = attention_faithfulness(question.model, question.sentence, question.given, st.session_state.seed)
    counted, kinds = faithfulness.scores(), faithfulness_scores([faithfulness], 1)["counterfactuals"]
    probability = f"Probability of “{token_label(trace.target[step])}”"
    first = {"Weights": own.kind, "Next token": token_bars.chosen_token(own, step)}
    first[probability] = percent(own.probabilities[step])
    rows = [first | dict.fromkeys(("Words that stay", *COUNTED.values()), "")]
    rows += [
        {
            "Weights": variant.kind,
            "Next token": token_bars.outcome(variant, step),
            probability: percent(variant.probabilities[step]),
            "Words that stay": f"{counted['kept'][variant.kind]} of {counted['words']}",
            **{name: share_kept(kinds[variant.kind], kind) for kind, name in COUNTED.items()},
        }
        for variant in others
    ]
    table(rows, "Result of each set of weights")
    if question.given:
        st.caption(FORCED)
    definitions("exchanges", "word_kinds")


def beside(trace: AnyTrace, question: Question, step: int) -> None:
    """Show attention next to measures of importance that do not use it."""
    about = question.model, question.sentence, question.given
    head = head_field(any_pretrained(question.model).config)
    measures = {"weight": alignment_of(trace, head).weights, **importance(*about)}
    left, right = st.columns([3, 2])
    with left:
        alt = f"Three measures of importance at step {step + 1}"
        plot(token_bars.importance_bars(trace, measures, step), "importance", alt, subject(trace))
    taus = attention_taus(*about, head)
    with right:
        rows = [(name, taus[pair][step], tau_summary(taus[pair])["mean"]) for pair, name in PAIRS.items()]
        table(
            [{"Kendall's τ": name, "This step": tau(here), "Mean over steps": tau(mean)} for name, here, mean in rows],
            "How far two measures agree",
        )
        st.caption(TAU)
        definitions("gradient", "leave_one_out", "tau")
    st.caption(SHARES)
    with st.expander("All steps at once", key="all-steps", on_change="rerun") as opened:
        if opened.open:
            alt = "Three measures of importance, a matrix for each"
            plot(token_bars.importance_heatmaps(trace, measures), "all-steps", alt, subject(trace))


def published(name: str) -> None:
    """Show findings of others beside the measures of the models here."""
    own = scores(name)
    on = f", {sample(own)}" if sample(own) else ""
    st.caption(CONTEXT.format(plain_markdown(title(name)), on))
    for finding in PUBLISHED["finding"]:
        with st.container(border=True):
            st.markdown(f"**{finding['question']}**")
            there, here = f"{finding['text']}\n\n{finding['source']}", measured(finding["key"], own)
            texts = (("Published", there), ("Measured here", here))
            for column, (label, text) in zip(st.columns(2), texts, strict=True):
                column.caption(label)
                column.markdown(text)
    definitions("mass", "aer", "rows", "diagonal")


asked = begin("explanation")
model = any_readable(asked.model)
top = head(
    "Is attention an explanation?",
    "Weights show where the decoder looked. Is that why it wrote what it wrote?",
    asked,
    options=True,
)
question_fields(top, model, "")
text_row(asked)
question = question_or_stop(asked, model)
with top.options:
    seed_field("Seed of the permuted weights", "seed")
    draw_again("seed")
study(any_trace(question.model, question.sentence, question.given), question)
with st.expander("What this shows, and what it does not"):
    counted = attention_faithfulness(question.model, question.sentence, question.given, 0).scores()
    st.markdown("\n".join(f"- {sentence}" for sentence in conclusions(counted, model.config)))
