"""Why not mine?: a visitor's translation beside the model's, why it prefers its own, and a search for weights."""

from dataclasses import replace
from html import escape

import streamlit as st

from regard.app.figures.heatmap import plain
from regard.app.figures.token_bars import LONGEST_LABEL, token_bars
from regard.app.figures.token_sampling import small_percent
from regard.app.glossary.terms import definitions
from regard.app.models.analyses import attention_search, occurrences, preference
from regard.app.models.models import attends, doubt
from regard.app.models.registry import model_names
from regard.app.models.traces import any_trace, encoding
from regard.app.navigation import TITLES, script
from regard.app.screens.why.text import (
    OWN,
    TEXTS,
    alone,
    best_name,
    compared,
    conclusion,
    lines,
    price,
    shifts,
    verdict,
)
from regard.app.ui.plots import plot, subject
from regard.app.ui.widgets import errors_shown, head, question_fields, table
from regard.app.visitor.pickers import choose_step
from regard.app.visitor.question import Question, telling_step
from regard.app.visitor.sentence_input import any_readable, begin, question_or_stop, visit
from regard.app.visitor.translated_text import text_row
from regard.app.wording import OPENINGS, many_heads, plain_markdown
from regard.model.alignment import token_label
from regard.model.analysis.attention_search import PENALTY, AttentionSearch
from regard.model.analysis.model_preference import Preference
from regard.model.changes.intervention import Intervention
from regard.model.changes.rewording import tokens_of
from regard.model.checkpoint import AnyModel
from regard.model.readable import language
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace

DIAGNOSED_TOKENS = 40  # of either translation: beams and forced copies of longer ones would keep others waiting
EXAMPLE = "La rive du fleuve est boueuse."  # of the sentence that the screen opens with
PENALTIES = (0.0, 0.01, 0.03, PENALTY, 0.3, 1.0, 3.0, 10.0)
WORD_CHARACTERS = 40  # characters of a typed word
WORD, WANTED, LAMBDA = "word", "wanted", "penalty"  # keys, and names in the link
LINKED = (WORD, WANTED, LAMBDA, "token")  # parameters of a link to a search


def show(question: Question, found: Preference) -> None:
    """Show the verdict, both translations, and a table of evidence with the screen where each line is seen."""
    counted = occurrences(question.model)
    code = escape(found.own.alignment.target.language)
    st.html(f'<p class="conclusion" data-testid="conclusion">{conclusion(found)}</p>')
    for column, (who, trace) in zip(st.columns(2), (("The model", found.own), ("You", found.other)), strict=True):
        written = f'<p class="translation" lang="{code}" dir="auto">{escape(trace.text)}</p>'
        column.html(f'<p class="about">{who}</p>{written}')
    with st.container(gap=None, key="evidence"):
        for place, line in enumerate(lines(found, doubt(question.model), counted)):
            left, middle, right = st.columns([3, 9, 2], vertical_alignment="center")
            left.html(f"<p class='evidence'><b>{line.question}</b></p>")
            middle.html(f"<p class='evidence'>{line.evidence}</p>")
            if line.screen:
                named = {"model": question.model} if question.model != model_names()[0] else {}
                with right.container(key=f"evidence-{place}"):
                    there, link = script(line.screen), {**line.link, **named}
                    st.page_link(there, label=TITLES[line.screen], icon=":material/arrow_forward:", query_params=link)


@st.fragment
def study(model: AnyModel, trace: AnyTrace, question: Question, opening: int) -> None:
    """Choose a step, at first the `opening` one, and a word, and search for weights that produce it."""
    step = choose_step(trace, question, opening)
    wanted = choose_word(model, trace, step)
    tokens = [f"“{token_label(model.tokenizer.token(token))}”" for token in wanted]
    if len(tokens) > 1:
        st.caption(
            plain_markdown(
                f"This takes {len(tokens)} tokens, {' '.join(tokens)}. The search is for the first, at this step; the "
                "rest would be searched for at the steps that follow."
            )
        )
    search = attention_search(question.model, question.sentence, question.given, step, wanted[0], choose_penalty())
    st.html(
        f'<p class="translation" data-testid="verdict">{verdict(trace, search)}</p><p class="price">{price(search)}</p>'
    )
    if not attends(question.model):
        st.info(
            "This model has no attention: it sees only its first and last token, with equal weights. "
            "The search moves weight between these two ends."
        )
    following = replace(question, step=search.step + 1).to_link() | {"change": changes(question, search).to_json()}
    with st.container(key="following"):
        st.page_link(
            script("translate"),
            label="See what follows",
            icon=":material/arrow_forward:",
            query_params=following,
            help="Open Translate with these weights at this step; the model continues from there.",
        )
    seen(trace, search)


def changes(question: Question, search: AttentionSearch) -> Intervention:
    """Return the weights found as a change; a forced translation is left to the model from that step on."""
    if question.given:
        return replace(search.intervention, tokens=((search.step, search.shifts[0].token),))
    return search.intervention


def seen(trace: AnyTrace, search: AttentionSearch) -> None:
    """Show the weights before and after, their effect on the likeliest tokens, and each source token alone."""
    left, right = st.columns([3, 2])
    with left:
        best, verb = best_name(search), "write" if search.first else "come nearest to"
        about = {OWN: f": write “{_label(search.own.written)}”", best: f": {verb} “{_label(search.text)}”"}
        figure = token_bars(trace.source, {OWN: search.own.weights, best: search.best.weights}, about)
        plot(figure, "found", f"Weights of step {search.step + 1}: the model's own, and those found", subject(trace))
    with right:
        table(shifts(search), "Likeliest tokens before and after, with the wanted one among them")
    table(compared(search), "The model's own weights and those found")
    definitions("weight", "divergence", "total_variation", "searched_attention")
    with st.expander("Each source token alone", key="alone", on_change="rerun") as opened:
        if opened.open:
            st.caption("All weight on a single source token. Any other weights mix these.")
            table(alone(trace, search), "The search's measures with all weight on one source token")


def choose_word(model: AnyModel, trace: AnyTrace, step: int) -> tuple[int, ...]:
    """Return the tokens of one of the step's likeliest alternatives, at first the visitor's own, or of a typed word;
    unreadable text is reported."""
    state, offered = st.session_state, _alternatives(trace, step)
    own = int(trace.target_ids[step])
    opening = own if own in offered else next(iter(offered))
    left, right = st.columns([3, 1])
    typed = right.text_input(
        "Or any other",
        key=WORD,
        bind="query-params",
        max_chars=WORD_CHARACTERS,
        placeholder=f"A word in {language(model.tokenizer.languages[1])}",
    )[:WORD_CHARACTERS]
    if typed.strip() or state.get(WANTED) not in offered:
        state[WANTED] = None if typed.strip() else opening
    chosen = left.pills(
        "Which word should the model write here?",
        list(offered),
        key=WANTED,
        bind="query-params",
        wrap=True,
        format_func=lambda token: offered.get(token, str(token)),
        on_change=lambda: state.update({WORD: ""}),
    )
    return _read(model, trace, step, typed) or (chosen or opening,)


def choose_penalty() -> float:
    """Choose λ of the search."""
    return st.select_slider(
        "Penalty λ for departing from the model's own attention",
        PENALTIES,
        PENALTY,
        format_func=lambda penalty: f"{penalty:g}",
        key=LAMBDA,
        bind="query-params",
        help=(
            "With 0, the token becomes as likely as possible, whatever it takes. The higher λ, the closer the weights "
            "stay to the model's own."
        ),
    )


def _alternatives(trace: AnyTrace, step: int) -> dict[int, str]:
    """Return the likeliest tokens but the first, with their probabilities, and the token of a given translation."""
    rows = zip(trace.top_ids[step].tolist(), trace.top_tokens[step], trace.top_probabilities[step], strict=True)
    listed = [
        (token, f"{plain_markdown(token_label(text))} {small_percent(float(probability))}")
        for token, text, probability in rows
        if token >= STOP
    ]
    own = int(trace.target_ids[step])
    written = [] if own in trace.top_ids[step] else [(own, plain_markdown(token_label(trace.target[step])))]
    return dict([*listed[1:], *written])


def _read(model: AnyModel, trace: AnyTrace, step: int, typed: str) -> tuple[int, ...]:
    """Tokenize the typed word; no tokens if it is empty or unreadable."""
    if typed.strip():
        with errors_shown():
            return tokens_of(model.tokenizer, trace.target_ids[:step].tolist(), typed, step)
    return ()


def _label(token: str) -> str:
    return plain(token_label(token), LONGEST_LABEL)


asked = begin("why")
model = any_readable(asked.model)
if visit().unasked and model.tokenizer.languages in OPENINGS["why"]:  # an example, until something is asked
    asked = replace(asked, given=EXAMPLE)
    visit().question, st.session_state.given = asked, EXAMPLE
top = head("Why not mine?", "Type your own translation, and see why the model prefers its own.", asked)
question_fields(top, model, f"Your own translation ({language(model.tokenizer.languages[1])})")
text_row(asked)
question = question_or_stop(asked, model)
translation = any_trace(question.model, question.sentence, question.given)
opening = telling_step(translation) - 1
longest = max(
    len(encoding(question.model, text, side).ids) for side, text in enumerate((question.sentence, question.given))
)
if longest > DIAGNOSED_TOKENS:
    st.info(f"One of the two has {longest} tokens; up to {DIAGNOSED_TOKENS} are diagnosed, which takes some seconds.")
elif question.given:
    found = preference(question.model, question.sentence, question.given)
    show(question, found)
    opening = found.parting.step if found.parting else opening
else:
    st.info(f"Type your own translation. The model writes: “{plain_markdown(translation.text)}”")
linked = any(name in st.query_params for name in LINKED)
with st.expander(
    "Which attention would change the word?", expanded=linked, key="attention-search", on_change="rerun"
) as opened:
    if opened.open:
        if heads := many_heads(model.config):
            st.caption(f"{heads} {TEXTS['searched']}")
        study(model, translation, question, opening)
        about = [*TEXTS["conclusions"], TEXTS["heads_alike" if model.network.heads() else "mixture"]]
        st.markdown("\n".join(f"- {sentence}" for sentence in about))
