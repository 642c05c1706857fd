"""`translate` keeps its promise: a line out for each line in, whatever the line."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regard.model.archive import from_json
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.decoding import beam
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.readable import LINE_TOKENS
from regard.model.trace import Trace
from regard.model.translate import translate
from regard.model.words import normalise
from tests.support.run_command import call

NASTY = (
    b"I love you.",
    b"",
    b"   \t ",
    b"The cat sat on the mat.\r",
    b"\xff\xfe not \xe2\x80",
    "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\rh".encode(),
    "👩‍👩‍👧 שלום \u202eabc 日本語 \u0301".encode(),
    b"</s> <pad> <0x0A> <s>",
    b"<script>alert(1)</script> $x^2$ **b**",
    b"\x00\x01\x1b[31m",
    "é".encode() * 90,
    b"last, without a line feed",
)


def test_translate_takes_sentences_as_arguments_in_order(folder: str, tiny_model: Pretrained) -> None:
    sentences = ["I love you.", "", "The cat sat\non the mat."]
    status, out, _ = call("translate", "--model", folder, *sentences)
    expected = [normalise(trace.text) for trace in translate(tiny_model, sentences)]
    assert status == 0
    assert out.decode().split("\n") == [expected[0], "", expected[2], ""]


@pytest.mark.parametrize("width", [1, 3])
def test_json_gives_a_trace_a_line_of_what_is_printed_without_it(
    folder: str, tiny_model: Pretrained, width: int
) -> None:
    arguments = ("translate", "--model", folder, "--beam", str(width))
    plain = call(*arguments, stdin=b"\n".join(NASTY))[1].decode().split("\n")
    traces = call(*arguments, "--json", stdin=b"\n".join(NASTY))[1].decode().split("\n")
    assert len(traces) == len(plain) == len(NASTY) + 1
    assert "".join(traces).splitlines() == ["".join(traces)]
    for line, text, put in zip(traces, plain[:-1], NASTY, strict=False):
        trace, source = from_json(line), normalise(put.decode("utf-8", errors="replace"))
        assert normalise(trace.text) == text
        assert len(text.splitlines()) <= 1
        assert (text == "") >= (source == "")
        assert trace.alignment.source.text == source
        assert trace.maker.fingerprint == tiny_model.fingerprint
    own = (
        translate(tiny_model, ["I love you."])
        if width == 1
        else beam.translate(tiny_model, ["I love you."], BeamSettings(width))
    )
    values = json.loads(traces[0])
    for key in ("annotations", "states", "scores", "weights", "contexts"):
        assert abs(getattr(own[0], key) - values[key]).max() < 1e-5
    assert (values["source"], values["target"]) == (list(own[0].source), list(own[0].target))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.binary(max_size=60).map(lambda line: line.replace(b"\n", b" ")), max_size=8),
    width=st.integers(1, 2),
)
def test_any_lines_of_bytes_come_out_as_as_many_lines(folder: str, lines: list[bytes], width: int) -> None:
    stdin = b"".join(line + b"\n" for line in lines)
    status, out, _ = call("translate", "--model", folder, "--beam", str(width), stdin=stdin)
    assert status == 0
    assert len(out.decode("utf-8").splitlines()) == out.count(b"\n") == len(lines)


def test_a_line_that_is_too_long_gives_one_line_and_a_note(folder: str) -> None:
    status, out, told = call("translate", "--model", folder, stdin=b"short\n" + b"endless " * 200_000 + b"\nshort\n")
    lines = out.decode().split("\n")
    assert (status, len(lines)) == (0, 4)
    assert lines[0] == lines[2] != ""
    assert told.count("has more than") == 1
    assert f"sentence 2 has more than {LINE_TOKENS} tokens or 10,000 characters" in told


def test_an_intervention_from_a_file_changes_each_translation(
    folder: str, tiny_model: Pretrained, tmp_path: Path
) -> None:
    changes = Intervention(hidden=(0,), temperature=2.0, tokens=((1, 300),))
    file = tmp_path / "changes.json"
    file.write_text(changes.to_json(), encoding="utf-8")
    arguments = ("translate", "--model", folder, "--intervention", str(file), "I love you.", "", "We are not children.")
    plain, traces = (call(*arguments, *more)[1].decode().split("\n") for more in ((), ("--json",)))
    for sentence, text, line in zip(arguments[-3:], plain, traces, strict=False):
        trace = from_json(line)
        assert normalise(trace.text) == text
        if sentence:
            own = what_if.translate(tiny_model, sentence, changes)
            assert (trace.intervention, trace.target) == (changes, own.target)
            assert isinstance(trace, Trace)
            assert trace.scores.tolist() == own.scores.tolist()
