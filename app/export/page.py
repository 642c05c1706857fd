"""Page: the document of one or more traces, or of attention that was given, with how each of its numbers is made."""

from collections.abc import Sequence
from html import escape
from typing import Any

from regard.app.components.stepper.payload import LANGUAGE_TAG, Head, gain, of_attention, payload
from regard.app.export.document import KEYS, TracePage, program
from regard.app.visitor.question import Opening, opening_step, telling_step
from regard.model.alignment import AFTER, ROWS, Posterior, Sentence
from regard.model.arithmetic.quantity import (
    AFTERWARDS,
    FORMS,
    FORWARD,
    KINDS,
    SHARED,
    TRANSFORMER,
    for_pages,
    usual_form,
)
from regard.model.changes.intervention import UNTOUCHED
from regard.model.changes.marks import changes, plain_of
from regard.model.input_error import InputError
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.trace import AnyTrace, Maker

WEIGHTS = "Each row holds the weights of one step over the source tokens."
POSTERIOR = (
    "It opens with the posterior: what the weights would be once each word is known. A switch shows the weights."
)
ASKING = {"luong": "at this step", "bahdanau": "before this step"}  # the state that asks, by wiring
PRESS = "Press any number for its exact value"
SHOWN_TEXT = 300  # characters of a sentence in the heading; the stepper has all of it
GIVEN = "Given; nothing in this page computes it."
COMPUTED = ("word_weight", "head_word_weight", "entropy", "head_entropy")  # from the weights that were given
HALVES = "The first half of the components comes from reading left to right, the second from right to left."


def page(traces: Sequence[AnyTrace], heads: Sequence[Head] = (), posteriors: Sequence[Posterior] = ()) -> str:
    """Return a page with the traces side by side on one shared step; changes made to a trace are marked.

    `heads` stand above the traces, one for each. Without them, a translation before and after a change is labelled so,
    and others by their models or sentences. With `posteriors`, one for each trace, the page opens with them in place of
    the weights and can switch. Raises InputError if there are no traces, or a different number of heads or posteriors.
    """
    return described(traces, heads, posteriors).html()


def described(
    traces: Sequence[AnyTrace], heads: Sequence[Head] = (), posteriors: Sequence[Posterior] = ()
) -> TracePage:
    """Return the parts of such a page."""
    if not traces:
        raise InputError("no traces: a page needs at least one")
    headings = _headings(traces)
    title = (" · " if len(traces) > 1 else " → ").join(_text(sentence) for _, sentence in headings)
    about = f"{_author(traces)}{POSTERIOR if posteriors else WEIGHTS} {KEYS} {PRESS} and how it is made."
    makers = " and ".join(
        f"the model <b>{escape(maker.name)}</b> (files’ SHA-256 <code>{escape(maker.fingerprint)}</code>)"
        for maker in dict.fromkeys(trace.maker for trace in traces)
    )
    made = f"with {makers}. Every number shown is in this file with all its digits"
    return TracePage(title, _header(headings, about), _footer(made), _data(traces, heads, posteriors))


def described_attention(given: GivenAttention) -> TracePage:
    """Return the parts of the page of given attention; what is missing is grey."""
    source, target = given.alignment.source, given.alignment.target
    headings = [(1, source)] if given.main == "self" else [(1, source), (2, target)]
    forms = {kind: KINDS[kind].in_transformer or KINDS[kind].form for kind in COMPUTED}
    said = {form: FORMS[form].words for form in ("head_mean", *forms.values())}
    told = {**dict.fromkeys((*KINDS, "weight/masked"), GIVEN), **said, **{kind: said[forms[kind]] for kind in forms}}
    drawn = of_attention(given)
    for trace in drawn["traces"]:
        trace["told"] = told  # how each kind of number was made, as far as it is known
    opening = Opening(opening_step(len(given.target))).as_data()
    made = f"of weights from <b>{escape(given.name)}</b>. Every number shown is in this file"
    return TracePage(
        " → ".join(sentence.text for _, sentence in headings),
        _header(headings, f"The rows are attention weights, as given. {KEYS} {PRESS}."),
        _footer(made),
        {**drawn, "id": "page", "numbers": for_pages(), "opening": opening},
    )


def _data(traces: Sequence[AnyTrace], heads: Sequence[Head], posteriors: Sequence[Posterior]) -> dict[str, Any]:
    drawn: dict[str, Any] = payload(traces, heads or _heads(traces), posteriors)
    same_formula = len({one.get("head", {}).get("formula") for one in drawn["traces"]}) == 1
    for trace, one in zip(traces, drawn["traces"], strict=True):
        one["told"] = words(trace.maker)
        if trace.intervention != UNTOUCHED:
            one["changes"] = changes(traces[0], trace)
        if same_formula and "head" in one:
            del one["head"]["formula"]  # the same for all traces
    rows = AFTER if posteriors else ROWS[0]
    opening = Opening(telling_step(traces[0]), rows=rows).as_data()
    return {**drawn, "id": "page", "numbers": for_pages(), "opening": opening}


def _heads(traces: Sequence[AnyTrace]) -> list[Head]:
    """Return the labels of several traces."""
    first, *others = traces
    if not others:
        return []
    if len(others) == 1 and others[0].intervention != UNTOUCHED and plain_of(first, others[0]):
        return [Head("Before"), Head("After", (gain(first, others[0]),))]
    models = {trace.maker for trace in traces}
    return [Head(trace.maker.name if len(models) > 1 else _text(trace.alignment.source)) for trace in traces]


def words(maker: Maker) -> dict[str, str]:
    """Return how numbers are made, in words, by kind, and by form for a number made in an unusual way.

    Only what holds for this model is said; the app's arithmetic shows the numbers that enter. `{bonus}` and
    `{temperature}` are for the page to fill.
    """
    heads = maker.wiring == "transformer"
    told = {name: form.words for name, form in FORMS.items() if form.words and "{asking}" not in form.words}
    asking = f"the decoder's state {ASKING.get(maker.wiring, '')}"
    for kind in (*TRANSFORMER, *SHARED) if heads else (*FORWARD, *AFTERWARDS):
        made = "" if KINDS[kind].needs else FORMS[usual_form(kind, maker)].words.replace("{asking}", asking)
        if made:
            told[kind] = made[0].upper() + made[1:]
    if not heads:
        state = told["state"]
        told["annotation"] = f"In the encoder's {maker.cell.upper()}: {state[0].lower()}{state[1:]} {HALVES}"
    return told


def _headings(traces: Sequence[AnyTrace]) -> list[tuple[int, Sentence]]:
    """Return each translated sentence, and its translation if there is one, with the level of the heading."""
    if len(traces) == 1:
        alignment = traces[0].alignment
        return [(1, alignment.source), (2, alignment.target)]
    return [(1, source) for source in dict.fromkeys(trace.alignment.source for trace in traces)]


def _header(headings: Sequence[tuple[int, Sentence]], about: str) -> str:
    drawn = ""
    for level, one in headings:
        text = _text(one)
        short = text if len(text) <= SHOWN_TEXT else f"{text[: SHOWN_TEXT - 1]}…"
        language = f' lang="{one.language}"' if LANGUAGE_TAG.fullmatch(one.language) else ""
        drawn += f'<h{level}{language} dir="auto">{escape(short)}</h{level}>'
    return f"<header>{drawn}<p>{about}</p></header>\n"


def _footer(made: str) -> str:
    return f"<footer><p>Made by {program()} {made}; the page asks no server for anything.</p></footer>\n"


def _author(traces: Sequence[AnyTrace]) -> str:
    """Say who wrote the translation, if there is one and it is not the model's own."""
    trace = traces[0]
    if len(traces) > 1 or (trace.intervention == UNTOUCHED and trace.stop != "forced"):
        return ""
    who = "A given translation" if trace.stop == "forced" else "The model's translation"
    return f"{who}{', with changes made by hand' if trace.intervention != UNTOUCHED else ''}. "


def _text(sentence: Sentence) -> str:
    return sentence.text or "—"
