import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.app.components.shared.modules import STEPPER, script, stepper_style
from regard.app.components.shared.packed import as_text
from regard.app.components.stepper.payload import Head, payload
from regard.app.export import document
from regard.app.export.document import variables
from regard.app.export.page import page, words
from regard.model.arithmetic.quantity import KINDS
from regard.model.cells import CELLS
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import AnyModel, Pretrained, shipped
from regard.model.decoder import WIRINGS
from regard.model.scores import SCORES
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.checkpoint import load_transformer
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import translate
from tests.support.every_number import named, opener, some
from tests.support.exported_page import SENTENCE, Parts, told_by_page
from tests.support.made_traces import MAKER, SOURCE, TARGET, decoded, made_of, sentence
from tests.support.run_command import call
from tests.support.small_transformer import small_transformer

MOST = 500_000  # bytes of a page without its data
HOSTILE = "</script><!--<script>]]> <b onload='x'>&amp; \u2028"


def test_the_numbers_in_it_are_the_traces(before: Trace) -> None:
    (drawn,) = Parts(page([before])).data["traces"]
    for name, attribute in (("weight", "weights"), ("score", "scores"), ("state", "states"), ("context", "contexts")):
        assert np.array_equal(decoded(drawn["arrays"][name]), getattr(before, attribute))
    assert drawn["arrays"] == json.loads(as_text(payload([before])))["traces"][0]["arrays"]


@settings(max_examples=30)
@given(st.text(max_size=40))
def test_no_text_ends_the_element_it_stands_in(text: str) -> None:
    typed = f"{HOSTILE}{text}".encode(errors="replace").decode()
    hostile = sentence(typed, (f" {typed}", "</s>"), (0, 1))
    parts = Parts(page([made_of(hostile, hostile)], ()))
    assert [tag for tag, _ in parts.attributes if tag in ("script", "b")] == ["b", "script", "script"]
    assert parts.text["b"] == [MAKER.name]
    assert parts.data["traces"][0]["source"]["tokens"][0] == f" {typed}"
    assert not {*"<>&"} & {*parts.text["script"][0]}  # a browser ends a script at </script and a blank, too


def test_it_runs_only_its_own_script_and_style_and_may_load_nothing(before: Trace) -> None:
    parts = Parts(page([before]))
    policy = dict(rule.split(" ", 1) for rule in (parts.values("content")[0] or "").split("; "))
    for rule, text in (("script-src", parts.text["script"][1]), ("style-src", parts.text["style"][0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert policy[rule] == f"'sha256-{digest}'"
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "connect-src" not in policy


def test_it_names_no_address(before: Trace) -> None:
    parts = Parts(page([before]))
    assert parts.values("src") == []
    assert parts.values("href") == ["data:,"]
    texts = [*parts.text["script"], *parts.text["style"]]
    assert {found for text in texts for found in re.findall(r"\w+://[^\s\"']+", text)} == {"http://www.w3.org/2000/svg"}
    assert not any(door in text for text in texts for door in ("@import", "url(", "fetch(", "XMLHttpRequest"))


def test_it_has_a_value_for_each_colour_and_font_of_the_app_that_the_stepper_uses() -> None:
    used = set(re.findall(r"var\((--st-[a-z-]+)", stepper_style() + (document.HERE / "page.css").read_text("utf-8")))
    defined = set(re.findall(r"(--st-[a-z-]+):", variables()))
    assert len(used) > 3
    assert used <= defined
    assert "--st-text-color: light-dark(#17202A, #E9EDF2);" in variables()


def test_headings_and_columns_have_the_names_of_what_they_show(
    before: Trace, tiny_model: Pretrained, tmp_path: Path
) -> None:
    parts = Parts(page([before]))
    assert (parts.text["h1"], parts.text["h2"]) == ([SENTENCE], [before.text or "—"])
    assert (parts.text["b"], parts.text["code"]) == ([before.maker.name], [before.maker.fingerprint])
    assert len(page([before]).encode()) - len(parts.text["script"][0].encode()) < MOST
    other = made_of(SOURCE, sentence("plain", (" 7", "</s>"), (0, 1)))
    assert [one.get("lang") for tag, one in Parts(page([other])).attributes if tag in ("h1", "h2")] == ["en", None]
    sentences = Parts(page([other, made_of(TARGET, TARGET)]))
    assert sentences.text["h1"] == titles(sentences) == ["football .", "le football"]
    assert titles(Parts(page([before, other]))) == [before.maker.name, MAKER.name]
    assert titles(Parts(page([before, other], [Head("one"), Head("two")]))) == ["one", "two"]
    file, asked = tmp_path / "page.html", tmp_path / "changes.json"
    asked.write_text('{"hidden": [0]}')
    options = ("--model", str(tiny_model.folder), "--html", str(file), "--intervention", str(asked))
    assert call("translate", *options, SENTENCE)[0] == 0
    changed = Parts(file.read_text("utf-8"))
    assert titles(changed) == ["Before", "After"]
    assert ["changes" in one for one in changed.data["traces"]] == [False, True]


def titles(parts: Parts) -> list[str]:
    return [one["head"]["title"] for one in parts.data["traces"]]


def test_a_page_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no traces"):
        page([])


def test_in_text_a_trace_is_one_short_line(before: Trace, tiny_model: Pretrained) -> None:
    steps, name = len(before.target), tiny_model.name
    assert repr(before) == f"<Trace {SENTENCE!r} → {before.text!r}, steps: {steps}, model: {name}>"


def test_the_command_line_writes_the_page_beside_the_translation(
    tiny_model: Pretrained, before: Trace, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    folder = str(tiny_model.folder)
    status, out, _ = call("translate", "--model", folder, "--html", str(file), SENTENCE)  # a slow one has a bar
    assert status == 0
    assert out == call("translate", "--model", folder, SENTENCE)[1]
    assert file.read_text("utf-8") == page([before])


def test_the_command_line_makes_a_page_of_a_transformer_too(tmp_path: Path) -> None:
    folder, file = shipped("reverse-transformer"), tmp_path / "page.html"
    assert call("translate", "--model", str(folder), "--html", str(file), "2 5 9")[0] == 0
    (trace,) = translate(load_transformer(folder), ["2 5 9"])
    document = file.read_text("utf-8")
    assert document == page([trace])
    status, _, told = call("translate", "--model", str(folder), "--html", str(file), "--reading", "posterior", "2 5 9")
    assert status == 1
    assert "defined for one attention; reverse-transformer is a Transformer" in told


def test_a_recurrent_model_and_a_transformer_stand_side_by_side(before: Trace) -> None:
    (other,) = translate(small_transformer(), [SENTENCE])
    document = page([before, other])
    first, second = Parts(document).data["traces"]
    assert ("heads" in first, "heads" in second) == (False, True)
    assert ("score" in first["told"], "head_score" in second["told"]) == (True, True)


def test_a_page_of_several_sentences_is_refused_before_anything_is_translated(tmp_path: Path) -> None:
    status, out, told = call("translate", "--html", str(tmp_path / "page.html"), "one", "two")
    assert (status, out) == (1, b"")
    assert "--html makes a page of one sentence; there are 2" in told
    assert not list(tmp_path.iterdir())


# Numbers in words


REVERSING, DIGITS = load_transformer(shipped("reverse-transformer")), "2 5 9"
CLICKABLE = """score weight word_weight annotation embedding fed_embedding state cell context attentional probability
    rest entropy log_probability total_log_probability""".split()
OF_HEADS = """head_score head_weight head_word_weight head_entropy head_query head_key head_value head_mixed
    heads_joined attention_stream hidden feed_forward feed_forward_stream embedded""".split()


def test_every_number_that_can_be_clicked_has_words_whatever_the_model() -> None:
    between = {"score", "weight", "word_weight", "posterior", "word_posterior"}
    clicked = {"state", "cell", "context", "attentional"} | between
    clicked |= set(re.findall(r'kind: "(\w+)"', script(STEPPER / "stepper.js")))
    kinds = clicked & KINDS.keys()
    assert len(kinds) > 10
    for score, wiring, cell in product(SCORES, WIRINGS, CELLS):
        told = words(replace(MAKER, score=score, wiring=wiring, cell=cell))
        assert kinds <= told.keys()
        assert not re.search(r"\{(?!bonus|temperature)", "".join(told.values()))


def assert_told(model: AnyModel, traces: Sequence[AnyTrace], kinds: Sequence[str]) -> None:
    """Check that the page tells numbers of the second trace by the app's names, with the exact values."""
    asked = [replace(one, trace=1) for kind in kinds for one in some(kind, traces[1])]
    open_number = opener(model, traces[1])
    for quantity, told in zip(asked, told_by_page(page(traces), [*map(named, asked)]), strict=True):
        assert told["name"] == quantity.name(traces[1])
        assert told["words"]
        number, wanted = float(told["value"].replace("−", "-")), open_number(quantity).shown
        assert np.float32(number) == np.float32(wanted), quantity


def test_a_clicked_number_is_told_by_the_apps_name_and_its_exact_value(
    tiny_model: Pretrained, before: Trace, after: Trace
) -> None:
    assert_told(tiny_model, [before, after], CLICKABLE)


def test_how_a_number_is_made_holds_where_a_person_changed_it(before: Trace, after: Trace) -> None:
    places: dict[str, dict[str, str | int]] = {
        "1.5 that a person added, all divided by the temperature 2": {"kind": "score", "step": 0, "position": 2},
        "0 that a person added, all divided by the temperature 2": {"kind": "score", "step": 1, "position": 2},
        "Set by hand.": {"kind": "weight", "step": 2, "position": 1},
        "may not be looked at": {"kind": "weight", "step": 0, "position": 0},
        "softmax": {"kind": "weight", "step": 0, "position": 1},
        "starts from nothing": {"kind": "state", "step": -1, "component": 0},
    }
    asked = [{"trace": 1, **place} for place in places.values()]
    told = told_by_page(page([before, after]), asked)
    for words_, one in zip(places, told, strict=True):
        assert words_ in one["words"]


@pytest.fixture(scope="module")
def traces() -> tuple[TransformerTrace, TransformerTrace]:
    """Before and after everything that can be changed of heads is."""
    (before,) = translate(REVERSING, [DIGITS])
    row = tuple(float(position == 1) for position in range(len(before.source)))
    heads = Intervention(
        weights=((2, row),), hidden=(0,), bonus=((0, 2, 1.5),), temperature=2.0,
        heads_off=(("cross", 0, 1), ("decoder", 1, 0)), head_weights=(("cross", 1, 0, 1, row),),
    )  # fmt: skip
    return before, what_if.translate(REVERSING, DIGITS, heads)


def test_a_number_of_a_head_is_told_by_the_apps_name(traces: tuple[TransformerTrace, TransformerTrace]) -> None:
    assert_told(REVERSING, traces, OF_HEADS)


def test_how_a_weight_of_a_head_is_made_holds_where_a_person_changed_it(
    traces: tuple[TransformerTrace, TransformerTrace],
) -> None:
    def weight(attention: str, layer: int, head: int, row: int, column: int) -> dict[str, str | int]:
        place = {"layer": layer, "head": head, "row": row, "column": column}
        return {"trace": 1, "kind": "head_weight", "attention": attention, **place}

    expected = {
        "this head is switched off": weight("cross", 0, 1, 1, 1),
        "Set by hand.": weight("cross", 1, 0, 1, 1),  # of this head
        "Set by hand": weight("cross", 1, 1, 2, 1),  # of all heads
        "may not be looked at": weight("cross", 1, 1, 1, 0),  # masked
        "this token may not be looked at": weight("decoder", 0, 0, 1, 2),  # still to come
        "divided by how many heads": weight("cross", 1, -1, 1, 1),
        "(softmax)": weight("encoder", 0, 0, 1, 0),
        "1.5 that a person added, all divided by the temperature 2": {
            **weight("cross", 1, 0, 0, 2),
            "kind": "head_score",
        },
        "square root": {**weight("decoder", 0, 0, 1, 1), "kind": "head_score"},  # the temperature is of cross-attention
    }
    told = told_by_page(page(traces), list(expected.values()))
    for part, one in zip(expected, told, strict=True):
        assert part in one["words"]
