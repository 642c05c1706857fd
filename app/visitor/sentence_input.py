"""The state of a visit, in it the question that all screens share, and the fields in which that question is entered.

Streamlit keeps the texts of the two text fields, `sentence` and `given`, under their own keys.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Literal, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.models import models
from regard.app.models.models import (
    attends,
    title,
    titles,
    usual_length,
    weights_hash,
    with_attention,
    without_attention,
)
from regard.app.models.registry import languages, model_names, transforms
from regard.app.models.traces import any_trace, encoding, unreadable
from regard.app.navigation import SCREENS, TITLES, script
from regard.app.server.draining import returning
from regard.app.visitor.question import SUBJECT, Look, Question, linked_changes
from regard.app.visitor.suggestions import LANGUAGES, Failure, failure_of, failures, opening, to_try
from regard.app.wording import (
    between,
    invitation,
    on_its_own,
    overlong,
    plain_markdown,
    problem,
    remark,
    sentence_label,
    still_below,
)
from regard.model.analysis.model_preference import parting_step
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import AnyModel, Pretrained
from regard.model.input_error import InputError
from regard.model.readable import SENTENCE_CHARACTERS, language
from regard.model.truecasing import read_as
from regard.model.words import normalise, visible, visible_note

ModelT = TypeVar("ModelT", bound=AnyModel)
Option = TypeVar("Option")
MORE = "more"  # key of the popover with the field for a translation to force
ROOM = 20_000  # characters that a field accepts; text longer than SENTENCE_CHARACTERS is refused with a message
RECENT = 8  # sentences remembered for a visitor
ASKS = {"sentence", "given", "change"}  # a link with one of these has a question; without a sentence, about `EXAMPLE`
LONGEST_NAME = 60  # characters of a model's name from a link that are shown
OF_ONE = "A model that a visitor trained or imported is available to that visitor alone, until the visit ends."
MISSED = f"No model “{{}}” is available here. {OF_ONE} This is the model “{{}}”."
RETRAINED = (
    "This link was made with other weights of the model “{}” than are here, so numbers may differ from those in print."
)
ASIDE = "{} shows one attention for each step, and “{}” has many heads. This is the model “{}”."


@dataclass
class VisitState:
    """All that the screens share about one visitor, as one value in the session."""

    question: Question  # the question of whichever screen; moving to another screen keeps it
    screen: str  # the screen on view
    missed: str = ""  # the model last named, which may not be here
    unasked: bool = True  # nothing was asked yet: each screen shows its own example
    followed_link: bool = False  # the question came from a link, whose changes are not made yet
    linked: Question | None = None  # the question that the link holds
    recent: list[str] = field(default_factory=list)  # sentences asked, the latest first
    answered: Question | None = None  # the last question that could be answered
    opened: tuple[Any, ...] = ()  # numbers whose arithmetic is open, each reached from the one before it
    not_opened: str = ""  # why the last one could not be opened
    drawer: bool = False  # either of them is on view
    aside: str = ""  # a Transformer set aside on a screen that cannot show it
    attentive_model: str = ""  # the model to return to from one without attention
    typed: str = ""  # the sentence as it was typed, if it was read otherwise
    drafted: bool = False  # the question is made of words that are still being typed
    returning: bool = False  # the visitor came back from another server, in this run


def visit() -> VisitState:
    """Return the state of the visit, which `begin` made."""
    return st.session_state.visit


def screen_before() -> str:
    """Return the screen on view before this run of the page, "" on the first."""
    return visit().screen if "visit" in st.session_state else ""


def begin(screen: str) -> Question:
    """Return the current question; a new visitor's comes from the link. Each screen calls this first."""
    if "visit" not in st.session_state:
        state = VisitState(Question(), screen, returning=returning())
        st.session_state.visit = state
        _follow_link(state)
        state.missed = st.query_params.get("model", state.question.model)
    else:
        state = visit()
        state.returning = state.drafted = False
        if state.screen != screen:
            _come_from_another_screen(state, screen)
            _empty_fields()
        elif went_back() and ("sentence" in st.query_params or state.linked):
            _follow_link(state)
            _empty_fields()
    _settle_model(screen)
    if state.missed not in model_names():
        st.info(plain_markdown(MISSED.format(state.missed[:LONGEST_NAME], title(state.question.model))))
    elif state.linked == state.question:
        made_with = st.query_params.get("weights", "")
        if made_with not in ("", weights_hash(state.question.model)):
            st.info(plain_markdown(RETRAINED.format(title(state.question.model))))
    return state.question


def _follow_link(state: VisitState) -> None:
    """Ask what the link asks, on a first visit and after Back; a link that asks nothing opens the screen's example."""
    before, state.question = state.question.model, Question.from_link(st.query_params, model_names())
    state.unasked, state.followed_link = not ASKS & {*st.query_params}, True
    if state.unasked:
        state.question = replace(state.question, sentence=opening(state.question.model, state.screen))
    state.linked, state.typed, state.opened = state.question, "", ()
    if languages(before) != languages(state.question.model):
        state.recent, state.answered = [], None


def _come_from_another_screen(state: VisitState, screen: str) -> None:
    """Keep the question, unless the link within the app that led here asks another; an open number is closed."""
    if "sentence" in st.query_params:
        linked = Question.from_link(st.query_params, names_on(screen))
        view = {name: getattr(linked, name) for name in ("units", "rows", "large") if name in st.query_params}
        state.question = replace(state.question.ask(linked.sentence, linked.given), step=linked.step, **view)
        state.unasked, state.followed_link = False, True
    elif state.unasked:  # nothing asked yet: each screen shows its own example
        state.question = state.question.ask(opening(state.question.model, screen))
    if "picture" in st.query_params:
        state.question = replace(state.question, look=Look.from_link(st.query_params))
    bare = state.unasked and state.question.model == model_names()[0]  # what a link without a subject means
    state.screen, state.opened, state.linked = screen, (), state.question if bare else None


def went_back() -> bool:
    """Return True in the run that the browser's Back or Forward began."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _empty_fields() -> None:
    """Forget the fields' texts; each screen fills them from the question when it draws them."""
    for name in ("sentence", "given"):
        st.session_state.pop(name, None)


def names_on(screen: str) -> list[str]:
    """Return the models on offer that a screen can show."""
    return [name for name in model_names() if SCREENS[screen].heads or not transforms(name)]


def _settle_model(screen: str) -> None:
    """Set a Transformer aside, with a message, on a screen that cannot show it, and return to it on one that can.

    A missing model, such as a visitor's own that is gone, is replaced by the default.
    """
    state, everyones, names = visit(), model_names(), names_on(screen)
    if state.aside in names:
        use(state.aside)
    chosen = state.question.model
    if chosen not in everyones:
        state.missed = chosen
        use(names[0])
    elif chosen not in names:
        here = next((name for name in names if languages(name) == languages(chosen)), names[0])
        use(here)
        state.aside = chosen
    if state.aside:
        st.info(plain_markdown(ASIDE.format(TITLES[screen], title(state.aside), title(state.question.model))))


def ask(sentence: str, given: str = "", as_typed: bool = False) -> None:
    """Make this the question, and show it in the fields; capitals, apostrophes and spelling are corrected."""
    read_and_ask(sentence, given, as_typed)
    st.session_state.sentence, st.session_state.given = sentence, given


def read_and_ask(sentence: str, given: str, as_typed: bool) -> None:
    """Make this the question, leaving the fields as they are."""
    state = visit()
    state.unasked = state.drafted = state.followed_link = False
    source, _ = languages(state.question.model) or ("", "")
    text = sentence[:SENTENCE_CHARACTERS]
    read = visible(text, source) if as_typed else read_as(text, source)
    state.question = state.question.ask(read, given)
    state.typed = sentence if read != sentence and len(sentence) <= SENTENCE_CHARACTERS else ""
    state.opened = ()


def draft(words: str) -> bool:
    """Make the words typed so far the question, without a link or a place among the earlier ones; False if they cannot
    be one.
    """
    state = visit()
    source, _ = languages(state.question.model) or ("", "")
    question = state.question.ask(read_as(words, source))
    if unreadable(question.model, question.sentence):
        return False
    state.question = state.answered = question
    state.drafted, state.typed, state.opened = True, "", ()
    return True


def use(name: str) -> None:
    """Switch to this model; one with other languages gets a sentence of its own."""
    state = visit()
    before, state.opened, state.aside = state.question.model, (), ""
    state.question, state.missed = replace(state.question, model=name), name
    if languages(before) != languages(name):
        state.recent, state.answered = [], None
        ask(opening(name, state.screen))


def readable(name: str) -> Pretrained:
    """Return the model with a recurrent network; if it cannot be read, say so and stop the page."""
    return _loaded(models.pretrained, name)


def any_readable(name: str) -> AnyModel:
    """Return the model with any network; if it cannot be read, say so and stop the page."""
    return _loaded(models.any_pretrained, name)


def _loaded(load: Callable[[str], ModelT], name: str) -> ModelT:
    try:
        return load(name)
    except InputError as error:
        st.error(plain_markdown(str(error)))
        st.stop()


def answerable(question: Question, model: AnyModel) -> Question | None:
    """Return the question, or the last one that could be answered, with a message about what is wrong and what is
    shown.
    """
    (source, target), read = model.tokenizer.languages, encoding(model.name, question.sentence, 0)
    fields = (st.session_state.get(field, "") for field in ("sentence", "given"))
    cut = (text for text in fields if len(text) > SENTENCE_CHARACTERS)
    wrong = next(map(overlong, cut), "") or problem(source, read)
    if not wrong and question.given and (given := encoding(model.name, question.given, 1)).ids:
        wrong = problem(target, given)
    if wrong:
        answered = visit().answered
        (st.info if not read.ids else st.error)(f"{wrong} {still_below(answered.sentence)}" if answered else wrong)
        return answered
    failure = failure_of(question.sentence, question.model) if visit().screen == "translate" else None
    if note := f"{failure.shows} {failure.do}" if failure else remark(model.tokenizer, read, usual_length(model.name)):
        st.html(f'<p class="remark" title="{escape(note)}">{escape(note)}</p>')  # beside the examples: it moves nothing
    visit().answered = question
    recent = [question.sentence, *(old for old in visit().recent if old != question.sentence)]
    visit().recent = recent[:RECENT]
    return question


def link(question: Question, changes: Intervention = UNTOUCHED) -> None:
    """Write the page's subject into its link, leaving the link's other parameters alone."""
    state = visit()
    if state.linked == question and linked_changes(st.query_params) == changes:
        return
    state.linked = question
    values = question.to_link() | {"weights": weights_hash(question.model)}
    if question.model == model_names()[0]:  # a link without a model means the default
        del values["model"]
    if state.screen != "translate":  # the other screens do not show the memory's help
        values.pop("memory", None)
    if changes != UNTOUCHED:
        values["change"] = changes.to_json()
    for name in SUBJECT:
        if name in st.query_params and name not in values:
            del st.query_params[name]
    st.query_params.update({name: values[name] for name in SUBJECT if name in values})


def question_or_stop(question: Question, model: AnyModel) -> Question:
    """Return the question of a screen about one translation and write its link; stop the page if there is none."""
    answered = answerable(question, model)
    if answered is None:
        st.stop()
    link(answered)
    return answered


def entered(field: Literal["sentence", "given"] = "sentence") -> str:
    """Return the text in a field, or the question's text where the field is not drawn (yet)."""
    return st.session_state.get(field, getattr(visit().question, field))


def _fill(field: Literal["sentence", "given"]) -> None:
    """Fill a text field with the question's text if the last run did not draw it: Streamlit forgets its text then. A
    text set in an earlier run would not be shown: a browser shows a new field with what the same run sets."""
    st.session_state.setdefault(field, getattr(visit().question, field))


def sentence_field(
    model: AnyModel,
    label: Literal["visible", "collapsed"] = "visible",
    asked: Callable[[], None] = lambda: ask(entered()),
) -> None:
    """Draw the text field; the entered text becomes the question.

    A visitor who returns to another server may have typed into the old page, which the link does not know yet.
    """
    source, now = model.tokenizer.languages[0], visit()
    if not now.returning:
        _fill("sentence")
    typed = st.text_input(
        sentence_label(source),
        now.question.sentence if now.returning else "",
        key="sentence",
        placeholder=invitation(source),
        max_chars=ROOM,
        label_visibility=label,
        on_change=asked,
    )
    if now.returning and typed != now.question.sentence:
        read_and_ask(typed, "", False)
        st.rerun()


def given_field(model: AnyModel, label: str = "", shown: Literal["visible", "collapsed"] = "visible") -> None:
    """Draw the field for a translation to force, with its usual label or this one."""
    target = language(model.tokenizer.languages[1])
    _fill("given")
    st.text_input(
        label or f"Force a translation ({target}, optional)",
        key="given",
        placeholder=f"See how likely the model finds your {target}",
        max_chars=ROOM,
        on_change=_force,
        label_visibility=shown,
        help=f"The decoder is fed your {target} instead of its own; every number is for your words.",
    )


def _force() -> None:
    """Ask with the forced translation, and close the popover in which it was typed, which would hide the result."""
    state = st.session_state
    ask(entered(), entered("given"))
    if MORE in state:
        state[MORE] = False


def model_field(question: Question) -> None:
    """Draw the choice of a model for the same sentence, if there are several."""
    known = titles()
    called = {name: on_its_own(known.get(name, name)) for name in names_on(visit().screen)}
    if len(called) > 1:
        _select("Model", called, question.model, use, 264)


def _select(label: str, options: dict[Option, str], now: Option, use: Callable[[Option], None], width: int) -> None:
    """Draw a list without a label, and call `use` with what is chosen in it."""
    key = label.lower()
    st.session_state[key] = now
    st.selectbox(
        label,
        list(options),
        format_func=options.__getitem__,
        key=key,
        on_change=lambda: use(st.session_state[key]),
        label_visibility="collapsed",
        width=width,
    )


def attention_switch(question: Question) -> None:
    """Draw the switch that translates the same sentence without attention, if there is a model for it."""
    state, without = st.session_state, without_attention(question.model)
    on = attends(question.model)
    if on:
        visit().attentive_model = question.model
    earlier = visit().attentive_model
    back = earlier if earlier in model_names() else with_attention(without)
    if without and back:
        state.attends = on
        st.toggle(
            "Attention",
            key="attends",
            on_change=lambda: use(back if st.session_state.attends else without),
        )


def languages_field(question: Question) -> None:
    """Draw the choice of languages, on screens that compare models, if there are models of several."""
    first: dict[tuple[str, str], str] = {}
    for name in names_on(visit().screen):
        if pair := languages(name):
            first.setdefault(pair, name)
    if len(first) > 1:
        now = languages(question.model) or next(iter(first))
        _select("Languages", {pair: between(pair) for pair in first}, now, lambda pair: use(first[pair]), 220)


def examples_menu(model: AnyModel) -> None:
    """Draw the menu of sentences to try, of those asked before and, on Translate, of those that a model gets wrong."""
    offered: dict[str, str | Failure] = {}
    for name, sentence in to_try(model).items():
        offered[sentence if sentence.startswith(name.rstrip("…")) else f"{name}: {sentence}"] = sentence
    offered |= {sentence: sentence for sentence in visit().recent if sentence not in offered.values()}
    if visit().screen == "translate" and model.tokenizer.languages == LANGUAGES:
        known = (failure for failure in failures() if failure.model in model_names())
        offered |= {f"Break it: {failure.label}": failure for failure in known}
    labels = list(offered)
    if labels:  # Streamlit refuses a menu without options
        st.menu_button(
            "Examples",
            range(len(labels)),
            format_func=lambda place: plain_markdown(labels[place]),
            type="tertiary",
            key="try",
            on_click=lambda: _try(offered[labels[st.session_state["try"]]]),
        )


def _try(chosen: str | Failure) -> None:
    """Ask a sentence; the failing model translates a failure, at the step where it departs from a right translation."""
    if isinstance(chosen, str):
        ask(chosen)
        return
    if chosen.model != visit().question.model:
        use(chosen.model)
    ask(chosen.sentence, as_typed=True)
    own_trace, right = (any_trace(chosen.model, chosen.sentence, given) for given in ("", chosen.given))
    if (step := parting_step(own_trace, right)) is not None:
        visit().question = replace(visit().question, step=step + 1)


def why_link() -> None:
    """Draw the link to the question's diagnosis, if a failure is known."""
    question = visit().question
    if failure := failure_of(question.sentence, question.model):
        asked = {"sentence": failure.sentence, "given": failure.given}
        named = {"model": failure.model} if failure.model != model_names()[0] else {}
        st.page_link(script("why"), label="Why?", icon=":material/contact_support:", query_params=asked | named)


def read_chip() -> None:
    """Show how the sentence was read if it differs from what was typed, with a button to keep it as typed; invisible
    characters are never kept. A forced translation is shown as read if it has some, or other forms of letters.
    """
    typed, read = visit().typed, visit().question.sentence
    _, target = languages(visit().question.model) or ("", "")
    if note := visible_note(entered("given"), target):
        given = escape(normalise(entered("given"), target))
        st.html(f'<p class="about" data-testid="given-read-as">Forced as “{given}” ({note})</p>', width="content")
    if typed and typed == entered():
        language, _ = languages(visit().question.model) or ("", "")
        note = f" ({escape(visible_note(typed, language))})" if visible_note(typed, language) else ""
        chip = f'<p class="about" data-testid="read-as" title="{escape(read)}">Read as “{escape(read)}”{note}</p>'
        st.html(chip, width="content")
        if normalise(typed, language) != read:
            st.button("Keep mine", type="tertiary", key="keep", on_click=_keep)


def _keep() -> None:
    ask(visit().typed, entered("given"), True)
    st.rerun()
