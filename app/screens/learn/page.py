"""One page of the lesson: a chapter's text and picture, its question, the answer, and its interactive part."""

from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.arithmetic.panel import arithmetic, show_clicked
from regard.app.components.phase_card.mount import phase_card
from regard.app.figures.lesson import PALETTES
from regard.app.screens.learn.chapter import SIDES, Chapter, Diagram, Phase, Prediction, Reading, Subject
from regard.app.screens.learn.path import Answer
from regard.app.visitor.telling_step import telling_step
from regard.app.wording import plain_markdown
from regard.model.transformer.trace import TransformerTrace

PLACES = range(3)
TO_COME = "Then you can try it here."
HEADING = '<h3 class="part">Predict</h3>'


def predict(chapter: int, asked: Prediction, about: tuple[str, ...]) -> None:
    """Ask the question, or show the prediction and the result. Rerun the page if its marks have changed. A prediction
    belongs to one question about one subject; `about` names the subject where the question does not."""
    state, key = st.session_state, f"predicted-{chapter}"
    if state.pop("marked", False):
        st.rerun()
    settle(chapter, asked, about)
    answer = state.lesson.answers[chapter - 1]
    if answer is not None:
        state[key] = answer.choice
    with st.container(border=True, key="question"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="asks"):
            st.markdown(HEADING, unsafe_allow_html=True, width="content")  # is drawn before what `st.html` draws
            if answer is None:
                st.caption(TO_COME, width="content")
        st.markdown(asked.question)
        _choice(chapter, asked, key, open_=answer is None)
        if answer is not None:
            _revealed(answer.choice, asked)


def settle(chapter: int, asked: Prediction, about: tuple[str, ...]) -> None:
    """Forget a prediction made for another question, and mark an answer from a link by the numbers."""
    _forget_another(chapter, (*about, asked.question, *asked.options))
    _mark_truly(chapter, asked.right)


def _choice(chapter: int, asked: Prediction, key: str, open_: bool) -> None:
    """Draw the options, and the button that reveals the answer or asks again."""
    with st.container(horizontal=True, vertical_alignment="center", key="choice"):
        choice = st.radio(
            asked.question,
            PLACES,
            index=None,
            format_func=asked.options.__getitem__,
            key=key,
            disabled=not open_,
            label_visibility="collapsed",
            horizontal=True,
        )
        if open_:
            told, icon = (chapter, choice, asked.right), ":material/visibility:"
            st.button(
                "Reveal", icon=icon, key=f"reveal-{chapter}", disabled=choice is None, on_click=_reveal, args=told
            )
        else:
            told, icon = (chapter, None), ":material/replay:"
            st.button("Ask me again", type="tertiary", icon=icon, key=f"again-{chapter}", on_click=_mark, args=told)


def _revealed(choice: int, asked: Prediction, prefix: str = "") -> None:
    right = choice == asked.right
    text = (
        ":material/check_circle: **As you predicted.**"
        if right
        else f":material/lightbulb: **Not this time.** You expected “{asked.options[choice]}”. {asked.instead[choice]}"
    )
    with st.container(key=f"{prefix}revealed-{'right' if right else 'surprise'}"):
        st.markdown(f"{text}\n\n{asked.answer}\n\n{asked.why}")


def once_more(chapter: int, asked: Prediction) -> None:
    """Ask the second question of a chapter and show its answer as soon as an option is chosen."""
    st.html('<h3 class="part">Predict once more</h3>')
    st.markdown(asked.question)
    choice = st.radio(
        asked.question,
        PLACES,
        index=None,
        format_func=asked.options.__getitem__,
        key=f"more-{chapter}-{asked.question}",  # another question has no answer yet
        label_visibility="collapsed",
        horizontal=True,
    )
    if choice is not None:
        _revealed(choice, asked, "more-")


def _forget_another(chapter: int, subject: tuple[str, ...]) -> None:
    """Forget a prediction made for another sentence."""
    state = st.session_state
    before = state.setdefault("asked_before", {})
    if before.setdefault(chapter, subject) == subject:
        return
    before[chapter] = subject
    state.pop(f"predicted-{chapter}", None)
    if state.lesson.answers[chapter - 1] is not None:
        _mark(chapter, None)
        st.rerun()


def _mark_truly(chapter: int, right: int) -> None:
    """Mark an answer from a link right or wrong by the numbers, whatever the link says."""
    answer = st.session_state.lesson.answers[chapter - 1]
    if answer is not None and answer.right != (answer.choice == right):
        _reveal(chapter, answer.choice, right)
        st.rerun()


def _reveal(chapter: int, choice: int, right: int) -> None:
    _mark(chapter, Answer(choice, choice == right))


def _mark(chapter: int, answer: Answer | None) -> None:
    state = st.session_state
    state.lesson, state.marked = state.lesson.answered(chapter, answer), True
    if answer is None:
        state.pop(f"predicted-{chapter}", None)


LOCKED = "<style>.st-key-live { display: none; }</style>"  # until something was predicted there is nothing to try
NO_AXES = "“{}” has no fingerprints to draw: `regard axes` measures them."
NO_QUESTION = "This sentence offers no question here. Type another one, such as “I love you.”"


def reading(read: Chapter | Reading) -> DeltaGenerator:
    """Draw the text and return the place of the picture, which is held from now on."""
    widths = read.picture.widths if isinstance(read.picture, Phase) else SIDES
    left, right = st.columns(widths, gap="large" if widths == SIDES else "medium", vertical_alignment="center")
    with left, st.container(key="text"):
        st.markdown(read.text)
    return right.container(key="picture").empty()  # Streamlit draws no container without an element


def question(shown: Diagram | Phase, lesson: Subject) -> Prediction | None:
    """Return the question about the picture, or None."""
    return shown.asked(lesson) if isinstance(shown, Phase) else None


def picture(shown: Diagram | Phase, lesson: Subject, opened: int, covered: bool) -> None:
    """Draw the picture that belongs to a chapter's text; any number in a phase can be opened.

    A phase is opened at a step, or if that is 0 at the one that tells most; `covered` leaves out the answer there.
    """
    if isinstance(shown, Diagram):
        drawn = shown.draw(PALETTES[st.context.theme.type or "light"])
        told = f'<div class="diagram" role="img" aria-label="{escape(shown.alt)}">{drawn}</div>'
        st.markdown(told, unsafe_allow_html=True)  # st.html would leave the picture out, and st.image the page's font
        return
    drawn = {}
    for named, trace in (shown.of if covered or shown.then is None else shown.then)(lesson).items():
        if isinstance(trace, TransformerTrace) or trace.maker.axes:
            drawn[named] = trace
        else:
            st.caption(NO_AXES.format(plain_markdown(trace.maker.name)))
    if drawn:
        traces = list(drawn.values())
        step = opened or telling_step(traces[-1])
        phase_card(
            drawn,
            key="phase-card",
            phase=shown.name,
            step=step,
            covered=covered and shown.then is None,
            inspect=show_clicked,
        )
        arithmetic(traces)


def about(chapter: Chapter, lesson: Subject, seen: Prediction | None) -> tuple[str, ...]:
    """Return what a prediction is about beside its question: model and sentence where they matter."""
    return (lesson.model.name, lesson.sentence) if chapter.own or seen else ()


@st.fragment
def touching(number: int, chapter: Chapter, lesson: Subject, seen: Prediction | None) -> None:
    """Draw the question, the interactive part whose numbers answer it, and the exercise on paper.

    The interactive part runs first, because the question follows from it unless the picture has one, `seen`. It is
    hidden until a prediction is made.
    """
    asking = st.container()
    with st.container(border=True, key="live"):
        st.html(f'<h3 class="part">Try it</h3><p class="about">{chapter.task}</p>')
        asked = chapter.live(lesson) or seen
        if second := chapter.again(lesson):
            once_more(number, second)
    with asking:
        if asked is None:
            st.info(NO_QUESTION)
        else:
            predict(number, asked, about(chapter, lesson, seen))
            if st.session_state.lesson.answers[number - 1] is None:
                st.html(LOCKED)
    chapter.exercise()
