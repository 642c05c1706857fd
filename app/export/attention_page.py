"""Attention page: attention that was given, in the same document and stepper as a trace; what is missing is grey."""

from collections.abc import Sequence
from html import escape

from regard.app.components.stepper.payload import of_attention
from regard.app.export.document import KEYS, TracePage, program
from regard.app.export.notebook import output
from regard.app.export.page import names
from regard.app.export.still import still
from regard.app.visitor.question import Opening, opening_step
from regard.model.arithmetic.kinds import FORMS, KINDS, for_pages
from regard.model.soft_alignments.given_attention import GivenAttention

GIVEN = "Given; nothing in this page computes it."
COMPUTED = ("word_weight", "head_word_weight", "entropy", "head_entropy")  # from the weights that were given
LAYERS = " It opens with the mean of the last layer's heads; press a small picture to choose another head."


def page_of(given: GivenAttention) -> str:
    """Return the page of given attention."""
    return described(given).html()


def frame(given: GivenAttention) -> str:
    """Return the output of given attention in a notebook."""
    return output([described(given)], still(given.alignment, opening_step(len(given.target))))


def described(given: GivenAttention) -> TracePage:
    """Return the parts of its page."""
    source, target = given.alignment.source.text, given.alignment.target.text
    alone = given.main == "self"
    drawn = of_attention(given)
    for trace in drawn["traces"]:
        trace |= {"told": _explanations(), "names": names(given, tuple(given.heads) if given.layered else ())}
    opening = Opening(opening_step(len(given.target))).as_data()
    opens = LAYERS if given.layered else ""
    made = f"Made by {program()} of weights from <b>{escape(given.name)}</b>"
    return TracePage(
        source if alone else f"{source} → {target}",
        f'<header><h1 dir="auto">{escape(source)}</h1>{"" if alone else f"""<h2 dir="auto">{escape(target)}</h2>"""}<p>'
        f"The rows are attention weights, as given.{opens} {KEYS} Press "
        "any number for its exact value.</p></header>\n",
        f"<footer><p>{made}. Every number shown is in this file; the page asks no server for anything.</p></footer>\n",
        {**drawn, "id": "page", "numbers": for_pages(), "opening": opening},
    )


def _explanations() -> dict[str, str]:
    """Return how each kind of number was made, as far as it is known."""
    forms: Sequence[str] = ("head_mean", *(KINDS[kind].in_transformer or KINDS[kind].form for kind in COMPUTED))
    said = {form: FORMS[form].words for form in forms}
    words = {kind: said[KINDS[kind].in_transformer or KINDS[kind].form] for kind in COMPUTED}
    return {**dict.fromkeys((*KINDS, "weight/masked"), GIVEN), **said, **words}
