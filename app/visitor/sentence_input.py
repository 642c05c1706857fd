"""The state of a visit, and in it the question that all screens share: the sentence and its model.

Streamlit keeps the texts of the two fields, `sentence` and `given`, under their own keys.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.models import models
from regard.app.models.models import title, usual_length, weights_hash
from regard.app.models.registry import languages, model_names, transforms
from regard.app.models.traces import encoding, unreadable
from regard.app.navigation import SCREENS, TITLES
from regard.app.server.draining import returning
from regard.app.visitor.question import SUBJECT, Look, Question, linked_changes
from regard.app.visitor.suggestions import failure_of, opening
from regard.app.wording import overlong, plain_markdown, problem, remark, still_below
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import AnyModel, Pretrained
from regard.model.input_error import InputError
from regard.model.readable import SENTENCE_CHARACTERS
from regard.model.truecasing import read_as
from regard.model.words import visible

ModelT = TypeVar("ModelT", bound=AnyModel)
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
    elif state.linked == state.question and _retrained(state.question.model):
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


def _retrained(name: str) -> bool:
    """Return True if the page's link names other weights than the model has."""
    return st.query_params.get("weights", "") not in ("", weights_hash(name))


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
