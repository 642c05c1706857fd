"""Why not mine?: a visitor's translation beside the model's, why it prefers its own, and a search for weights."""

from dataclasses import replace
from html import escape

import streamlit as st

from regard.app.models.analyses import occurrences, preference
from regard.app.models.models import doubt
from regard.app.models.registry import model_names
from regard.app.models.traces import any_trace, encoding
from regard.app.navigation import TITLES, script
from regard.app.screens.why.search import LINKED, study
from regard.app.screens.why.text import TOLD, Evidence, conclusion, lines, search_conclusions
from regard.app.ui.head import head, question_fields
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import any_readable, begin, question_or_stop, visit
from regard.app.visitor.telling_step import telling_step
from regard.app.visitor.translated_text import text_row
from regard.app.wording import OPENINGS, many_heads, plain_markdown
from regard.model.analysis.model_preference import Preference
from regard.model.readable import language

DIAGNOSED_TOKENS = 40  # of either translation: beams and forced copies of longer ones would keep others waiting
EXAMPLE = "La rive du fleuve est boueuse."  # of the sentence that the screen opens with


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
            evidence(line, place, question.model)


def evidence(line: Evidence, place: int, model: str) -> None:
    """Draw a row of the table: a question, its answer, and the link to its screen."""
    left, middle, right = st.columns([3, 9, 2], vertical_alignment="center")
    left.html(f"<p class='evidence'><b>{line.question}</b></p>")
    middle.html(f"<p class='evidence'>{line.evidence}</p>")
    if not line.screen:
        return
    named = {"model": model} if model != model_names()[0] else {}
    with right.container(key=f"evidence-{place}"):
        there, link = script(line.screen), {**line.link, **named}
        st.page_link(there, label=TITLES[line.screen], icon=":material/arrow_forward:", query_params=link)


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
) as search:
    if search.open:
        if heads := many_heads(model.config):
            st.caption(f"{heads} {TOLD['searched']}")
        study(model, translation, question, opening)
        st.markdown("\n".join(f"- {sentence}" for sentence in search_conclusions(model.config)))
