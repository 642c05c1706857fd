"""The sentence that all screens share: its fields, what a visitor asked before, and what is wrong with it.

`st.session_state.question` is the question, whichever screen it was asked on; moving to another screen keeps it.
"""

from dataclasses import replace
from html import escape
from typing import Literal

import streamlit as st

from app.models import models
from app.models.models import title, titles, usual_length
from app.models.registry import languages, model_names
from app.models.traces import encoding
from app.server.draining import returning
from app.visitor.question import LONGEST, Question
from app.visitor.suggestions import opening, to_try
from app.wording import between, invitation, overlong, plain_markdown, problem, remark, sentence_label
from model.checkpoint import Pretrained
from model.input_error import InputError
from model.languages import language
from model.truecasing import read_as

ROOM = 20_000  # characters that a field takes in; a text of more than LONGEST is refused in words
RECENT = 8  # sentences remembered for a visitor
SUBJECT = ("sentence", "given", "model", "change")  # of a link: what a page is about
ASKS = {"sentence", "given", "change"}  # a link with one of these asks something; without a sentence, of `EXAMPLE`
LONGEST_NAME = 60  # characters of a model's name that a link may show
MISSED = (
    "No model “{}” is on offer here. A model that somebody trained or brought is there for that visitor alone, until "
    "the visit ends. This is the model “{}”."
)


def begin(screen: str) -> Question:
    """The question so far; a visitor who has just come brings it in the link. Each screen calls this first."""
    state, names = st.session_state, model_names()
    state.returning = "question" not in state and returning()
    if "question" not in state:
        state.question = Question.from_link(st.query_params, names)
        state.recent, state.answered = [], None
        state.unasked = not ASKS & {*st.query_params}
        state.missed = st.query_params.get("model", names[0])
        if state.unasked:
            state.question = replace(state.question, sentence=opening(state.question.model, screen))
        state.linked = state.question
        state.screen = screen
        state.opened = ()
    if state.screen != screen:  # a number that was open belongs to the screen that was left
        if "sentence" in st.query_params:  # a link within the app asks something else
            linked = Question.from_link(st.query_params, names)
            state.question = replace(
                state.question.ask(linked.sentence, linked.given), intervention=linked.intervention, step=linked.step
            )
            state.unasked = False
        elif state.unasked:  # the visitor has asked nothing yet: each screen shows its own example
            state.question = state.question.ask(opening(state.question.model, screen))
        state.screen, state.opened = screen, ()
        state.linked = state.question if state.unasked else None
        state.sentence, state.given = state.question.sentence, state.question.given
    if state.question.model not in names:  # the visitor's own, which is gone
        state.missed = state.question.model
        use(names[0])
    if state.missed not in names:
        st.info(plain_markdown(MISSED.format(state.missed[:LONGEST_NAME], title(state.question.model))))
    for field in ("sentence", "given"):  # Streamlit forgets what the last screen had no field for
        if not (state.returning and field == "sentence"):
            state.setdefault(field, getattr(state.question, field))
    return state.question


def ask(sentence: str, given: str = "", as_typed: bool = False) -> None:
    """Make this the question, and show it in the fields; capitals and lost apostrophes are read as what they mean."""
    _ask(sentence, given, as_typed)
    st.session_state.sentence, st.session_state.given = sentence, given


def _ask(sentence: str, given: str, as_typed: bool) -> None:
    state = st.session_state
    state.unasked = False
    source, _ = languages(state.question.model) or ("", "")
    read = sentence if as_typed else read_as(sentence[:LONGEST], source)
    state.question = state.question.ask(read, given)
    state.typed = sentence if read != sentence and len(sentence) <= LONGEST else ""
    state.opened = ()


def use(name: str) -> None:
    """Ask this model from now on; one of other languages gets a sentence of its own."""
    state = st.session_state
    before, state.opened = state.question.model, ()
    state.question, state.missed = replace(state.question, model=name), name
    if languages(before) != languages(name):
        state.recent, state.answered = [], None
        ask(opening(name, state.screen))


def readable(name: str) -> Pretrained:
    """The model; one that cannot be read is told of, and the page ends there."""
    try:
        return models.pretrained(name)
    except InputError as error:
        st.error(plain_markdown(str(error)))
        st.stop()


def fields(model: Pretrained) -> None:
    """The two text fields, and the row of examples below them."""
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        sentence_field(model)
    with right:
        given_field(model)
    examples(model)


def slim_fields(model: Pretrained, question: Question) -> None:
    """The same beside each other in one row: the sentence, its model, and a translation to force behind a button."""
    sentence_field(model, "collapsed")
    model_field(question)
    forced = bool(question.given)
    with st.popover(
        "Force a translation",
        icon=f":material/{'edit_note' if forced else 'edit'}:",
        type="secondary" if forced else "tertiary",
        width="content",
        key="force",
    ):
        given_field(model)


def sentence_field(model: Pretrained, label: Literal["visible", "collapsed"] = "visible") -> None:
    """The text field; what is entered becomes the question.

    Who comes back to another server may have typed into the page of the last one, which their link does not know yet.
    """
    source, state = model.tokenizer.languages[0], st.session_state
    typed = st.text_input(
        sentence_label(source),
        state.question.sentence if state.returning else "",
        key="sentence",
        placeholder=invitation(source),
        max_chars=ROOM,
        label_visibility=label,
        on_change=lambda: ask(st.session_state.sentence),
    )
    if state.returning and typed != state.question.sentence:
        _ask(typed, "", False)
        st.rerun()


def given_field(model: Pretrained) -> None:
    """A translation of one's own, that the decoder is to be fed."""
    target = language(model.tokenizer.languages[1])
    st.text_input(
        f"Force a translation ({target}, optional)",
        key="given",
        placeholder=f"See how likely the model finds your {target}",
        max_chars=ROOM,
        on_change=lambda: ask(st.session_state.sentence, st.session_state.given),
        help=f"The decoder is fed your {target} instead of its own, and every number is that of your words.",
    )


def model_field(question: Question) -> None:
    """Another model for the same sentence; drawn only where there are several."""
    names = model_names()
    if len(names) > 1:
        known = titles()
        called = {name: known.get(name, name) for name in names}
        st.session_state.model = question.model
        st.selectbox(
            "Model",
            names,
            format_func=called.__getitem__,
            key="model",
            on_change=lambda: use(st.session_state.model),
            label_visibility="collapsed",
            width=264,
        )


def languages_field(question: Question) -> None:
    """Other languages, on screens about several models at once; drawn only where there are models of several."""
    first = {languages(name): name for name in reversed(model_names())}
    pairs = [pair for name in model_names() if (pair := languages(name)) and first[pair] == name]
    if len(pairs) > 1:
        st.session_state.languages = languages(question.model) or pairs[0]
        st.selectbox(
            "Languages",
            pairs,
            format_func=between,
            key="languages",
            on_change=lambda: use(first[st.session_state.languages]),
            label_visibility="collapsed",
            width=220,
        )


def examples(model: Pretrained) -> None:
    """A row of sentences to try, and those asked before."""
    offered = to_try(model)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="examples"):
        st.html(f'<p class="about">{"Try" if offered else "&nbsp;"}</p>', width="content")
        for label, sentence in offered.items():
            shown, full = plain_markdown(label), plain_markdown(sentence)
            st.button(shown, type="tertiary", help=full, on_click=ask, args=(sentence,))
        if st.session_state.recent:
            earlier = st.session_state.recent
            st.menu_button(
                "recent",
                range(len(earlier)),
                format_func=lambda index: plain_markdown(earlier[index]),
                type="tertiary",
                key="again",
                on_click=_again,
            )
        read_chip()


def read_chip() -> None:
    """How the sentence is read where that is not as it was typed, and the way to have it as it was typed."""
    state = st.session_state
    typed = state.get("typed", "")
    if typed and typed == state.sentence:
        st.html(
            f'<p class="about" data-testid="read-as">Read as “{escape(state.question.sentence)}”</p>', width="content"
        )
        st.button("Keep mine", type="tertiary", key="keep", on_click=ask, args=(typed, state.given, True))


def answerable(question: Question, model: Pretrained) -> Question | None:
    """The question itself, or the last one that could be answered, with what is wrong said above it."""
    (source, target), read = model.tokenizer.languages, encoding(model.name, question.sentence, 0)
    fields = (st.session_state.get(field, "") for field in ("sentence", "given"))
    wrong = next(map(overlong, (text for text in fields if len(text) > LONGEST)), "") or problem(source, read)
    if not wrong and question.given and (given := encoding(model.name, question.given, 1)).ids:
        wrong = problem(target, given)
    if wrong:
        (st.info if not read.ids else st.error)(wrong)
        return st.session_state.answered
    if note := remark(source, read, usual_length(model.name)):
        st.html(f'<p class="remark" title="{escape(note)}">{escape(note)}</p>')  # beside the examples; it moves nothing
    st.session_state.answered = question
    kept = [question.sentence, *(old for old in st.session_state.recent if old != question.sentence)]
    st.session_state.recent = kept[:RECENT]
    return question


def link(question: Question) -> None:
    """Write what the page is about into its link, and leave the link's other parameters alone."""
    if st.session_state.linked == question:
        return
    st.session_state.linked = question
    values = question.to_link()
    if question.model == model_names()[0]:  # which a link without a model means
        del values["model"]
    if st.session_state.screen != "translate":  # the others show nothing that was changed
        values.pop("change", None)
    for name in SUBJECT:
        if name in st.query_params and name not in values:
            del st.query_params[name]
    st.query_params.update({name: values[name] for name in SUBJECT if name in values})


def question_or_stop(question: Question, model: Pretrained) -> Question:
    """What a screen about one translation is about, which its link tells then; without that its page ends here."""
    answered = answerable(question, model)
    if answered is None:
        st.stop()
    link(answered)
    return answered


def _again() -> None:
    ask(st.session_state.recent[st.session_state.again])
