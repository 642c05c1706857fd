"""Parts of the engine, run in Node: they do what their twins in Python do."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from regard.model.alignment import Sentence
from regard.model.arithmetic.quantity import AFTERWARDS, FORWARD, SHARED, TRANSFORMER, as_text, with_terms
from regard.model.arithmetic.terms import CARRIED, LEAST, RELATIVE, ROUNDING
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.rewording import reword
from regard.model.changes.session import ChangeSession, EditedTranslation, NumberedEdit, Translator, edited
from regard.model.changes.what_if import translate
from regard.model.checkpoint import WEIGHTS, AnyModel, Pretrained, shipped
from regard.model.input_error import InputError, on_screen
from regard.model.tokenizer import Tokenizer
from regard.model.trace import AnyTrace
from regard.model.transformer.checkpoint import load_transformer
from regard.model.unknown_words import carried_over, note, with_carried
from regard.model.words import normalise, visible_note
from regard.pretrained.recipe.node_engine import about
from tests.model.test_unknown_words import CASES, aligned
from tests.support.engine import NEAR
from tests.support.every_number import named, opener, some
from tests.support.javascript import APP, evaluated
from tests.support.made_traces import SOURCE, TARGET, made_of

ENGINE = APP / "export" / "engine"


# A number opened


TANH = {"form": "state", "ending": "tanh", "constant": 0, "magnitude": 1.0}
WEIGHT = {"form": "weight/softmax", "ending": "share", "constant": 0, "magnitude": 1.0}
SUM = {"form": "score/general", "ending": "sum", "constant": 0, "magnitude": 30.0}
WORKINGS: list[tuple[dict[str, Any], float | None, float, bool, bool]] = [
    (WEIGHT, 1e-5, 1e-5, True, True),
    (WEIGHT, 1.1e-5, 1e-5, False, True),
    (WEIGHT, 0.50001, 0.5, True, True),
    (WEIGHT, 0.5001, 0.5, False, True),
    (TANH, 0.3, 0.30001, True, True),
    (TANH, 0.3, 0.301, False, True),
    (SUM, 1e-5, -1e-5, True, False),
    (SUM, 1e-5, 1e-5, True, True),
    (SUM, 2.0, 2.001, False, True),
    (SUM, None, 2.0, True, True),
]


def test_a_number_agrees_where_only_rounding_sets_it_apart_and_as_much_is_allowed_as_in_python() -> None:
    asked = [{**working, "shown": shown, "redone": redone} for working, shown, redone, *_ in WORKINGS]
    told = evaluated(f"{json.dumps(asked)}.map(verdict)", {ENGINE / "terms.js": "verdict"})
    assert [(one["agrees"], one["tells"]) for one in told] == [(agrees, tells) for *_, agrees, tells in WORKINGS]
    assert told[-1]["tolerance"] == pytest.approx(RELATIVE * 2 + LEAST + ROUNDING * 30 + CARRIED)


# What is typed


def test_every_character_is_left_out_and_written_plainly_as_in_the_app() -> None:
    """Words of every script, and each code point that one language or the other might treat apart."""
    points = [*range(0x20, 0x3000), *range(0xF900, 0xFFFE), *range(0x1D3F0, 0x1D810), *range(0xDFFF0, 0xE1010, 7)]
    texts = [f"a{chr(point)}b{chr(point)}" for point in points]
    found = evaluated(
        f"{json.dumps(texts)}.map((text) => [normalise(text), visibleNote(text)])",
        {ENGINE / "words.js": "normalise, visibleNote"},
    )
    assert found == [[normalise(text), visible_note(text)] for text in texts]


def in_javascript(sentence: Sentence) -> dict[str, object]:
    """Return a sentence as the engine has it: characters are counted in UTF-16."""
    spans = [
        [len(sentence.text[:end].encode("utf-16-le")) // 2 for end in (s.start, s.stop)] for s in sentence.characters
    ]
    characters = [{"start": start, "stop": stop} for start, stop in spans]
    named = {name: getattr(sentence, name) for name in ("text", "language", "tokens", "words")}
    return {**named, "wordOf": sentence.word_of, "characters": characters}


@pytest.mark.parametrize("score", ["dot", "none"])
def test_the_one_file_carries_over_what_python_does(score: str) -> None:
    traces, expected, attends = [], [], score != "none"
    for source, target, looks_at, _ in CASES:
        one = aligned(source, target, looks_at)
        carried = carried_over(one) if attends else ()
        expected.append([with_carried(one.target.text, carried), note(one, carried, attends)])
        rows, width = one.weights.shape
        weights = {"rows": rows, "width": width, "values": one.weights.ravel().tolist()}
        sides = {"source": in_javascript(one.source), "target": in_javascript(one.target)}
        traces.append({**sides, "weights": weights, "stop": "end", "maker": {"score": score}})
    found = evaluated(
        f"{json.dumps(traces)}.map((one) => [withCarried(one), carriedNote(one)])",
        {ENGINE / "unknown_words.js": "withCarried, carriedNote"},
    )
    assert found == expected


# What a person changes


WORDS = ["", " ", "\u00a0", "\u200b", "\ufeff\u2060", "\x1f\x7f", "\u200bx", "x" * 200, "x" * 201, "é"]


def refusal(text: str) -> str:
    try:
        Intervention(words=((2, text),))
    except InputError as error:
        return on_screen(error)
    return ""


def test_the_same_words_are_refused_as_blank_or_too_long() -> None:
    found = evaluated(
        f"{json.dumps(WORDS)}.map((text) => refusal({{ words: [[2, text]] }}))",
        {ENGINE / "changes.js": "interventionOf"},
        """function refusal(values) {
          try { interventionOf(values); } catch (error) { return error.message; }
          return "";
        }""",
    )
    assert found == [refusal(text) for text in WORDS]
    assert [text for text, told in zip(WORDS, found, strict=True) if not told] == ["\u200bx", "x" * 200, "é"]


def test_a_word_is_replaced_in_the_browser_with_the_changes_that_the_app_keeps(tokenizer: Tokenizer) -> None:
    sentence, replaced = "I have a blue car.", [(3, "x"), (3, "extraordinarily red"), (0, "We"), (5, "!")]
    tokens = len(tokenizer.encode(sentence, "en").ids) + 1
    row, first = (1 / tokens,) * tokens, (1.0,) + (0.0,) * (tokens - 1)
    changes = Intervention(
        weights=((1, row), (2, first)),
        hidden=(tokens - 1,),
        bonus=((0, 0, 1.0), (1, tokens - 1, 2.0)),
        head_weights=(
            *(("cross", 0, 1, step, row) for step in range(3)),
            ("decoder", 0, 1, 2, (0.5, 0.25, 0.25)),
            *(("encoder", 1, 0, place, first) for place in range(tokens)),
        ),
    )
    found, joined = evaluated(
        f"[{json.dumps(replaced)}.map(([word, text]) => reword(tokenizer, {json.dumps(sentence)}, "
        f"interventionOf({changes.to_json()}), word, text)), "
        r'spansWith(tokenizer.encode("x\u0302 I", "en"), [[0, "a"]])]',
        {ENGINE / "changes.js": "interventionOf, reword, spansWith", ENGINE / "tokenizer.js": "tokenizerOf"},
        f"const tokenizer = tokenizerOf({tokenizer.to_json()}, {json.dumps(tokenizer.languages)});",
    )
    for kept, (word, text) in zip(found, replaced, strict=True):
        expected = json.loads(reword(tokenizer, sentence, changes, word, text).to_json())
        for name in ("words", "hidden", "bonus"):
            assert kept[name] == expected[name]
        for name in ("weights", "head_weights"):
            assert [place for *place, _ in kept[name]] == [place for *place, _ in expected[name]]
            assert [row for *_, row in kept[name]] == [pytest.approx(row) for *_, row in expected[name]]
    assert [tuple(span.values()) for span in joined] == [(0, 1), (1, 1), (2, 3)]  # a mark joins the letter before it


TOO_WARM = "warmer than this sentence stands"


def visits() -> list[list[list[NumberedEdit]]]:
    """For each of many visitors what the stepper sends, one list after the other; some edits come twice."""
    draw = np.random.default_rng(3)
    kinds: list[dict[str, Any]] = [{"kind": kind} for kind in ("undo", "undo", "redo", "reset", "nonsense")]
    kinds += [{"kind": "temperature", "value": value} for value in (0.5, 2.0, 7.5)]
    kinds += [{"kind": "mask", "positions": [place], "masked": masked} for place in (0, 1) for masked in (True, False)]
    kinds += [{"kind": "bonus", "step": 1, "position": 1, "value": value} for value in (0, 1.5, 2_000.5)]
    kinds += [{"kind": "weights", "step": 0, "row": row} for row in ([0.5, 0.25, 0.25], [], [0.5, 0.1])]
    found = []
    for _ in range(40):
        edits = [NumberedEdit(number, kinds[draw.integers(len(kinds))]) for number in range(1, 13)]
        cuts = sorted(draw.integers(0, 12, 3).tolist())
        found.append([edits[max(0, start - 2) : stop] for start, stop in zip([0, *cuts], [*cuts, 12], strict=True)])
    return found


def plain(session: ChangeSession) -> dict[str, Any]:
    history = session.history
    past, future = ([changes.to_json() for changes in some] for some in (history.past, history.future))
    return {
        "refused": session.refused,
        "heard": session.heard,
        "present": history.present.to_json(),
        "past": past,
        "future": future,
    }


def test_a_session_in_the_browser_goes_as_in_python(tokenizer: Tokenizer) -> None:
    trace = made_of(SOURCE, TARGET)

    def translate(changes: Intervention) -> AnyTrace:
        if changes.temperature > 5:
            raise InputError(TOO_WARM)
        return replace(trace, intervention=changes)

    translator, expected = Translator(tokenizer, "", translate), []
    for sent in visits():
        session = ChangeSession()
        for edits in sent:
            session = session.hear(edits, translator)
        expected.append(plain(session))
    messages = [[[{"number": one.number, **one.values} for one in edits] for edits in sent] for sent in visits()]
    found = evaluated(
        f"{json.dumps(messages)}.map((sent) => plain(sent.reduce((session, edits) => hear(session, edits, translator), "
        "NOTHING_CHANGED)))",
        {ENGINE / "changes.js": "NOTHING_CHANGED, hear, toJson"},
        f"""const translator = {{ translate(intervention) {{
          if (intervention.temperature > 5) throw new Error("{TOO_WARM}");
          return {{ intervention }};
        }} }};
        const plain = ({{ history: {{ present, past, future }}, refused, heard }}) => ({{ refused, heard,
          present: toJson(present), past: past.map(toJson), future: future.map(toJson) }});""",
    )
    assert {one["refused"] for one in expected} > {"", TOO_WARM}
    for mine, theirs in zip(found, expected, strict=True):
        if TOO_WARM in theirs["refused"]:
            assert mine["refused"] == TOO_WARM
        assert {**mine, "refused": bool(mine["refused"])} == {**theirs, "refused": bool(theirs["refused"])}


ROW = (0.1, 0.2, 0.4, 0.3)
HEAD = {"attention": "cross", "layer": 0, "head": 1}


def cases() -> list[tuple[dict[str, Any], Intervention]]:
    """Every edit that needs no tokenizer, and masks over rows of weights whose last digits have to be rounded."""
    draw = np.random.default_rng(7)
    drawn = [tuple(draw.dirichlet(np.full(size, 0.3)).tolist()) for size in range(1, 40)]
    given = Intervention(weights=((1, ROW),), head_weights=(("cross", 0, 1, 2, ROW), ("decoder", 0, 1, 2, ROW)))
    off = Intervention(heads_off=(("cross", 0, 1), ("encoder", 0, 0)))
    found: list[tuple[dict[str, Any], Intervention]] = [
        ({"kind": "mask", "positions": [2], "masked": True}, given),
        ({"kind": "mask", "positions": [2], "masked": False}, replace(given, hidden=(1, 2))),
        ({"kind": "weights", "step": 1, "row": []}, given),
        ({"kind": "head_weights", **HEAD, "step": 2, "row": []}, given),
        ({"kind": "head", **HEAD, "off": True}, given),
        ({"kind": "head", **HEAD, "off": False}, off),
        ({"kind": "bonus", "step": 1, "position": 2, "value": 1.5}, Intervention(bonus=((1, 3, 0.5), (0, 0, 1.0)))),
        ({"kind": "bonus", "step": 1, "position": 3, "value": 0}, Intervention(bonus=((1, 3, 0.5),))),
        ({"kind": "temperature", "value": 2.5}, given),
    ]
    for row in (ROW, (1 / 3,) * 3, (1 / 7,) * 7, *drawn):
        found += [
            ({"kind": "weights", "step": 3, "row": list(row)}, UNTOUCHED),
            ({"kind": "head_weights", **HEAD, "step": 0, "row": list(row)}, UNTOUCHED),
            ({"kind": "mask", "positions": [0, len(row) // 2], "masked": True}, Intervention(weights=((0, row),))),
        ]
    return found


def test_an_edit_in_the_browser_makes_the_change_that_the_app_makes(tokenizer: Tokenizer) -> None:
    trace, edits = made_of(SOURCE, TARGET), cases()
    asked = [EditedTranslation(tokenizer, "", replace(trace, intervention=changes)) for _, changes in edits]
    expected = [json.loads(edited(edit, one).to_json()) for (edit, _), one in zip(edits, asked, strict=True)]
    assert expected[0]["weights"] == [[1, [0.1667, 0.3333, 0, 0.5]]]  # whole parts of ten thousand
    sent = json.dumps([[edit, json.loads(changes.to_json())] for edit, changes in edits])
    found = evaluated(
        f"{sent}.map(([edit, changes]) => JSON.parse(toJson(edited(edit, {{ shown: "
        "{ intervention: interventionOf(changes) } }))))",
        {ENGINE / "changes.js": "edited, interventionOf, toJson"},
    )
    assert found == expected


# Numbers opened


SENTENCE, DIGITS = "I don't love the red car.", "2 5 9"
STEERED = Intervention(bonus=((1, 1, 0.5),), hidden=(2,), temperature=0.7)
NETWORKS: tuple[tuple[dict[str, Any], Intervention], ...] = (
    ({"score": "general"}, STEERED),
    ({"score": "concat", "wiring": "bahdanau", "initial_state": "encoder"}, STEERED),
    ({"score": "dot", "cell": "gru", "input_feeding": True}, STEERED),
    ({"score": "concat", "cell": "gru", "wiring": "bahdanau"}, STEERED),
    ({"score": "none", "cell": "gru", "initial_state": "encoder"}, UNTOUCHED),
)
HEADS = (
    UNTOUCHED,
    Intervention(hidden=(1,), temperature=2.0, bonus=((1, 2, 0.5),)),
    Intervention(heads_off=(("cross", 1, 2), ("encoder", 0, 1))),
    Intervention(hidden=(1,), head_weights=(("cross", 0, 3, 1, (0.25, 0.0, 0.5, 0.25)),
                 ("decoder", 1, 0, 2, (0.5, 0.25, 0.25)), ("encoder", 0, 1, 0, (0.25, 0.25, 0.25, 0.25)))),
)  # fmt: skip
BEFORE = """const {{ readFileSync }} = await import("node:fs");
const given = JSON.parse({given});
const model = engine.modelOf({{ ...given.about, weights: new Uint8Array(readFileSync(given.weights)) }});
const plain = engine.translate(model, given.sentence, engine.interventionOf(given.changes));
const work = engine.isTransformer(plain) ? null : engine.posterior(model, plain);
let made = {{ done: !work }};
while (!made.done) made = work.next();
const trace = {{ ...plain, posterior: made.value }};"""
OPENED = """given.asked.map((one) =>
  ({ ...engine.workOut(one, trace, model, given.table), name: engine.nameOf(one, trace, given.table.phrases) }))"""


def assert_same(model: AnyModel, sentence: str, changes: Intervention, kinds: tuple[str, ...]) -> None:
    """Check that both describe each number alike: its form, its formula, its terms and their result."""
    trace = translate(model, sentence, changes)
    asked, open_number = [one for kind in kinds for one in some(kind, trace)], opener(model, trace)
    given = {
        "about": about(model), "weights": str(model.folder / WEIGHTS), "sentence": sentence,
        "changes": json.loads(changes.to_json()), "asked": [*map(named, asked)], "table": with_terms(),
    }  # fmt: skip
    opened = evaluated(OPENED, {ENGINE / "index.js": "engine"}, BEFORE.format(given=json.dumps(json.dumps(given))))
    for mine, quantity in zip(opened, asked, strict=True):
        theirs = open_number(quantity)
        formula = re.sub(r"_\{(\w)\}", r"_\1", mine["formula"])  # braces are for more than one character
        assert (mine["form"], mine["name"], formula) == (theirs.form, theirs.name, as_text(theirs.formula))
        assert mine["redone"] == pytest.approx(theirs.combined, abs=NEAR), quantity
        assert (mine["shown"] is None) == (theirs.shown is None), quantity
        assert mine["agrees"], quantity
        assert mine["tolerance"] == pytest.approx(theirs.tolerance, rel=0.01, abs=1e-9), quantity
        assert len(mine["terms"]) + mine["more"] == len(theirs.terms) + theirs.rest_count
        if not mine["more"]:  # of many terms the largest are shown, and of those alike either
            leads = [one for term in mine["terms"] for one in term["opens"]]
            assert all(named(one) in leads for one in theirs.opens), quantity
            assert sorted(term["label"] for term in mine["terms"]) == sorted(term.label for term in theirs.terms)


@pytest.mark.parametrize(("network", "changes"), NETWORKS)
def test_any_number_of_a_recurrent_network_opens_alike(
    make_model: Callable[..., Pretrained], network: dict[str, Any], changes: Intervention
) -> None:
    assert_same(make_model(**network), SENTENCE, changes, (*FORWARD, *AFTERWARDS))


@pytest.mark.parametrize("changes", HEADS)
def test_any_number_of_a_transformer_opens_alike(changes: Intervention) -> None:
    assert_same(load_transformer(shipped("reverse-transformer")), DIGITS, changes, (*TRANSFORMER, *SHARED))
