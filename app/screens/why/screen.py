"""Why not mine?: a visitor's translation beside the model's, and why the model prefers its own."""

from dataclasses import replace
from html import escape

import streamlit as st

from regard.app.models.analyses import occurrences, preference
from regard.app.models.models import doubt
from regard.app.models.registry import model_names
from regard.app.models.traces import any_trace, encoding
from regard.app.navigation import TITLES, script
from regard.app.screens.why.text import LABELS, Evidence, conclusion, lines
from regard.app.ui.widgets import question_heading
from regard.app.visitor.fields import fields
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import any_readable, begin, question_or_stop, visit
from regard.app.visitor.translated_text import text_row
from regard.app.wording import OPENINGS, plain_markdown
from regard.model.readable import language

DIAGNOSED_TOKENS = 40  # of either translation: beams and forced copies of longer ones would keep others waiting
EXAMPLE = "La rive du fleuve est boueuse."  # of the sentence that the screen opens with


def show(question: Question) -> None:
    """Show both translations, the conclusion, and each line of evidence with the screen where it is seen."""
    found, counted = preference(question.model, question.sentence, question.given), occurrences(question.model)
    code = escape(found.own.alignment.target.language)
    for who, trace in (("The model", found.own), ("You", found.other)):
        st.html(f'<p class="about">{who}</p><p class="translation" lang="{code}" dir="auto">{escape(trace.text)}</p>')
    st.html(f'<p class="conclusion" data-testid="conclusion">{conclusion(found, counted)}</p>')
    for place, line in enumerate(lines(found, doubt(question.model), counted)):
        evidence(line, place, question.model)


def evidence(line: Evidence, place: int, model: str) -> None:
    """Draw a line of evidence and the link to its screen."""
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.html(f"<p class='evidence'><b>{line.question}</b> {line.evidence}</p>")
    named = {"model": model} if model != model_names()[0] else {}
    with right.container(key=f"evidence-{place}"):
        label = LABELS.get(line.screen, TITLES[line.screen])
        st.page_link(script(line.screen), label=label, icon=":material/arrow_forward:", query_params=line.link | named)


asked = begin("why")
model = any_readable(asked.model)
if visit().unasked and model.tokenizer.languages in OPENINGS["why"]:  # an example, until something is asked
    asked = replace(asked, given=EXAMPLE)
    visit().question, st.session_state.given = asked, EXAMPLE
question_heading(
    asked,
    "Why not mine?",
    "Type your own translation. The page shows where the model departs from yours, whether a better search "
    "would have found it, and what would have tipped the choice.",
)
fields(model, f"Your own translation ({language(model.tokenizer.languages[1])})")
text_row(asked)
question = question_or_stop(asked, model)
longest = max(
    len(encoding(question.model, text, side).ids) for side, text in enumerate((question.sentence, question.given))
)
if longest > DIAGNOSED_TOKENS:
    st.info(f"One of the two has {longest} tokens; up to {DIAGNOSED_TOKENS} are diagnosed, which takes some seconds.")
elif question.given:
    show(question)
else:
    written = plain_markdown(any_trace(question.model, question.sentence, "").text)
    st.info(f"Type your own translation. The model writes: “{written}”")
