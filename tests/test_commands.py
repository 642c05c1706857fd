"""The command line keeps its promises: a line out for each line in, links of given words, one clear line of error."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model import beam
from model.__main__ import COMMANDS, main
from model.archive import from_json
from model.checkpoint import DEFAULT, PRETRAINED, Pretrained, shipped
from model.commands.lines import LONGEST
from model.corpus import bucket
from model.joining import between, join, links
from model.translate import force, translate
from model.words import normalise

ROOT = Path(__file__).parent.parent
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


def process(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "model", *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        command, input=stdin, capture_output=True, cwd=ROOT, env=environment, timeout=120, check=False
    )


def call(*arguments: str, stdin: bytes = b"") -> tuple[int, bytes, str]:
    """The same in this process: exit status, standard output, standard error."""
    streams = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["model", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        try:
            status = main()
        except SystemExit as exit_:
            status = int(exit_.code or 0)
    streams[0].flush()
    return status, streams[0].buffer.getvalue(), streams[1].getvalue()  # type: ignore[attr-defined]


@pytest.fixture
def folder(tiny_model: Pretrained) -> str:
    return str(tiny_model.folder)


def test_translate_prints_exactly_one_line_for_each_line_of_whatever_input(folder: str) -> None:
    done = process("translate", "--model", folder, stdin=b"\n".join(NASTY))
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    lines = done.stdout.decode("utf-8").split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(NASTY)
    assert all(len(line.splitlines()) <= 1 for line in lines)
    for put, line in zip(NASTY, lines, strict=True):
        blank = not normalise(put.decode("utf-8", errors="replace"))
        assert line == normalise(line)
        assert (line == "") >= blank


def test_translate_takes_sentences_as_arguments_in_order(folder: str, tiny_model: Pretrained) -> None:
    sentences = ["I love you.", "", "The cat sat\non the mat."]
    status, out, told = call("translate", "--model", folder, *sentences)
    expected = [normalise(trace.text) for trace in translate(tiny_model, sentences)]
    assert (status, told) == (0, "")
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
        trace = from_json(line)
        assert normalise(trace.text) == text
        assert trace.alignment.source.text == normalise(put.decode("utf-8", errors="replace"))
        assert trace.maker.fingerprint == tiny_model.fingerprint
    own = translate(tiny_model, ["I love you."]) if width == 1 else beam.translate(tiny_model, ["I love you."], width)
    values = json.loads(traces[0])
    for key in ("annotations", "states", "scores", "weights", "contexts"):
        assert abs(getattr(own[0], key) - values[key]).max() < 1e-5
    assert (values["source"], values["target"]) == (list(own[0].source), list(own[0].target))


def test_the_json_of_a_blank_line_is_the_trace_of_an_empty_translation(folder: str) -> None:
    trace = from_json(call("translate", "--model", folder, "--json", stdin=b" \n")[1].decode())
    assert (trace.source, trace.target, trace.stop) == (("</s>",), ("</s>",), "forced")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.binary(max_size=60).map(lambda line: line.replace(b"\n", b" ")), max_size=12),
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
    assert told.count("longer than") == 1
    assert f"sentence 2 is longer than {LONGEST} tokens" in told


def test_long_input_shows_its_progress_on_standard_error(folder: str) -> None:
    done = process("translate", "--model", folder, "--beam", "2", stdin=b"The boy wears a blue shirt.\n" * 500)
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 500
    assert b"500/500" in done.stderr


def test_the_shipped_model_is_looked_for_beside_the_package() -> None:
    assert shipped() == PRETRAINED / DEFAULT
    assert ROOT / "pretrained" == PRETRAINED


def test_align_links_the_given_words(folder: str, tiny_model: Pretrained, tmp_path: Path) -> None:
    pairs = [
        ("I do n't love the car .", "Je n' aime pas l' auto ."),
        ("", ""),
        ("The cat", ""),
        ("Where is it ?", "Où est -il ?"),
    ]
    for side, name in enumerate(("en", "fr")):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")
    printed = {}
    for rows in ("output", "input"):
        files = ("--source", str(tmp_path / "en"), "--target", str(tmp_path / "fr"))
        status, out, told = call("align", "--model", folder, "--rows", rows, *files)
        assert (status, told) == (0, "")
        printed[rows] = out.decode().split("\n")
        for line, (source_line, target_line) in zip(printed[rows], pairs, strict=False):
            source, target = join(source_line, "en"), join(target_line, "fr")
            alignment = force(tiny_model, [(source.text, target.text)])[0].alignment
            expected = links(between(alignment, source, target, rows))
            assert line == " ".join(f"{i}-{j}" for i, j in expected)
            assert all(i < len(source_line.split()) and j < len(target_line.split()) for i, j in expected)
        assert len(printed[rows]) == len(pairs) + 1
        assert printed[rows][1:3] == ["", ""]
    assert printed["output"][0].count("-") + printed["input"][0].count("-") > 6


def test_a_pair_too_long_to_be_read_has_no_links_and_is_named(folder: str, tmp_path: Path) -> None:
    (tmp_path / "en").write_text("a cat\n" + "endless " * 2000 + "\na cat\n")
    (tmp_path / "fr").write_text("un chat\nun\nun chat\n")
    status, out, told = call(
        "align", "--model", folder, "--source", str(tmp_path / "en"), "--target", str(tmp_path / "fr")
    )
    lines = out.decode().split("\n")
    assert (status, len(lines), lines[1]) == (0, 4, "")
    assert lines[0] == lines[2]
    assert "line 2: more than" in told


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "no model": (("translate", "--model", "nowhere", "x"), "nowhere is not a model folder"),
    "beam 0": (("translate", "--model", "MODEL", "--beam", "0", "x"), "--beam is 0; it must be from 1 to"),
    "beam text": (("translate", "--beam", "wide", "x"), "invalid int value: 'wide'"),
    "unknown command": (("sing",), "invalid choice: 'sing'"),
    "no command": ((), "required: COMMAND"),
    "missing file": (
        ("align", "--model", "MODEL", "--source", "none.en", "--target", "DATA/one"),
        "none.en: No such file",
    ),
    "a folder": (("align", "--model", "MODEL", "--source", "DATA", "--target", "DATA/one"), "Is a directory"),
    "lines": (("align", "--model", "MODEL", "--source", "DATA/two", "--target", "DATA/one"), "one ends at line 1, "),
    "not UTF-8": (
        ("align", "--model", "MODEL", "--source", "DATA/bad", "--target", "DATA/two"),
        "bad, line 2: not UTF-8",
    ),
    "rows": (("align", "--rows", "both", "--source", "a", "--target", "b"), "invalid choice: 'both'"),
    "nothing to measure": (("evaluate", "--model", "MODEL"), "nothing to measure"),
    "evaluate beam": (
        ("evaluate", "--model", "MODEL", "--test", "t", "DATA/one", "DATA/one", "--beam", "1"),
        "at least 2",
    ),
    "sample 0": (
        ("evaluate", "--model", "MODEL", "--test", "t", "DATA/one", "DATA/one", "--sample", "0"),
        "--sample is 0",
    ),
    "no stories": (("evaluate", "--model", "MODEL", "--alignments", "DATA"), "it holds no folder of a story"),
    "table": (("evaluate", "--model", "MODEL", "--table", "DATA/one"), "one, line 1: no tab"),
    "empty test": (("evaluate", "--model", "MODEL", "--test", "t", "DATA/no", "DATA/no"), "the test t has no pairs"),
    "same name": (
        ("evaluate", "--model", "MODEL", *("--test", "t", "DATA/one", "DATA/one") * 2),
        "two tests are called t",
    ),
    "no story": (("evaluate", "--model", "MODEL", "--alignments", "none"), "none: No such file"),
    "nothing to write": (("card",), "nothing to write"),
    "no config": (("card", "DATA"), "config.json: No such file"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_ends_with_one_clear_line(folder: str, tmp_path: Path, case: str) -> None:
    for name, content in {"one": b"a\n", "two": b"a\nb\n", "bad": b"a\n\xff\n", "no": b""}.items():
        (tmp_path / name).write_bytes(content)
    arguments, told = BAD[case]
    filled = [item.replace("MODEL", folder).replace("DATA", str(tmp_path)) for item in arguments]
    status, out, error = call(*filled)
    assert status in (1, 2)
    assert out == b""
    assert told in error
    assert len(error.splitlines()) == 1
    assert error.startswith("python -m model")


def test_a_process_that_fails_says_so_without_a_traceback() -> None:
    done = process("translate", "--model", "nowhere", "x")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"python -m model translate: nowhere is not a model folder")
    assert done.stderr.count(b"\n") == 1


def test_a_reader_that_leaves_early_is_no_error(folder: str) -> None:
    command = [sys.executable, "-m", "model", "translate", "--model", folder, *["I love you."] * 5000]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert b"Traceback" not in running.stderr.read()
        assert running.wait(60) == 141


def test_an_interrupt_ends_with_130_and_nothing_else(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("model.commands.translate.load", interrupt)
    assert call("translate", "--model", folder, "x") == (130, b"", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    status, out, told = call(command, "--help")
    assert (status, told) == (0, "")
    assert f"usage: python -m model {command}" in out.decode()
    assert COMMANDS[command][1:] in " ".join(out.decode().split())


def test_help_does_not_load_pytorch() -> None:
    code = "import sys; from model.__main__ import main\ntry: main()\nexcept SystemExit: print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, cwd=ROOT, check=True)
    assert done.stdout.decode().splitlines()[-1] == "False"


def copy(model: Pretrained, folder: Path) -> Path:
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_bytes((model.folder / name).read_bytes())
    return folder


def lines_with_a_held_out_part() -> str:
    """A table of which seven source sentences are held out, whoever splits it."""
    numbers = range(10_000)
    held_out = [n for n in numbers if bucket(f"The cat has {n} mats.") < 15][:7]
    others = [n for n in numbers if bucket(f"The cat has {n} mats.") >= 15][:30]
    return "".join(f"The cat has {n} mats.\tLe chat a {n} tapis.\n" for n in sorted(held_out + others))


def evaluation(tmp_path: Path, tiny_model: Pretrained) -> tuple[Path, list[str]]:
    folder = copy(tiny_model, tmp_path / "measured")
    (tmp_path / "table.tsv").write_text(lines_with_a_held_out_part(), encoding="utf-8")
    (tmp_path / "t.en").write_text("A cat.\nA car.\n")
    (tmp_path / "t.fr").write_text("Un chat.\nUne auto.\n")
    story = tmp_path / "alignments" / "story"
    story.mkdir(parents=True)
    (story / "Un_sents.txt").write_text("0\tLe chat\n1\tl' auto\n")
    (story / "One_sents.txt").write_text("0\tThe cat\n1\tthe car\n")
    (story / "ali_w2w_Un_One.txt").write_text("0\t0-0 1-1 \n1\t0p0 1p1 \n")
    tests = ["--table", str(tmp_path / "table.tsv"), "--test", "small", str(tmp_path / "t.en"), str(tmp_path / "t.fr")]
    return folder, ["evaluate", "--model", str(folder), *tests, "--beam", "2"]


def test_evaluate_writes_scores_and_a_card(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    status, out, _ = call(*arguments, "--alignments", str(tmp_path / "alignments"))
    assert (status, out) == (0, b"")
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert scores["format"] == 1
    assert scores["model"] == {
        "name": "measured",
        "fingerprint": tiny_model.fingerprint,
        "parameters": sum(parameter.numel() for parameter in tiny_model.network.parameters()),
        "bytes": (folder / "model.safetensors").stat().st_size,
    }
    held_out = scores["tests"]["held_out"]
    assert (held_out["pairs"], held_out["sources"]) == (7, 7)
    assert set(held_out["searches"]) == {"greedy", "beam_2"}
    for found in held_out["searches"].values():
        assert set(found) == {"bleu", "chrf", "by_length", "seconds"}
        assert sum(row["pairs"] for row in found["by_length"]) == 7
    for example in held_out["examples"]:
        assert example["greedy"] == normalise(translate(tiny_model, [example["source"]])[0].text)
        assert example["beam_2"] == normalise(beam.translate(tiny_model, [example["source"]], 2)[0].text)
    assert scores["tests"]["small"]["files"][0]["name"] == "t.en"
    assert scores["alignments"]["overall"]["pairs"] == 1
    assert scores["alignments"]["overall"]["left_out"] == 0.5
    assert scores["alignments"]["stories"]["story"]["diagonal"] == {"aer": 0.0, "precision": 1.0, "recall": 1.0}
    assert str(tmp_path) not in json.dumps(scores)
    assert "| held-out | beam 2 | 7 |" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_sample_is_printed_and_never_written(tmp_path: Path, tiny_model: Pretrained) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    status, out, _ = call(*arguments, "--sample", "3")
    assert status == 0
    assert json.loads(out)["tests"]["held_out"]["pairs"] == 3
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "model.safetensors", "tokenizer.json"]


def test_scores_of_the_same_weights_are_kept_and_those_of_others_are_not(
    tmp_path: Path, tiny_model: Pretrained
) -> None:
    folder, arguments = evaluation(tmp_path, tiny_model)
    alignments = ["evaluate", "--model", str(folder), "--alignments", str(tmp_path / "alignments")]
    assert call(*arguments)[0] == 0
    before = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert call(*alignments)[0] == 0
    both = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert both["tests"] == before["tests"]
    assert "alignments" in both
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "dropout": 0.5}))
    assert call(*alignments)[0] == 0
    assert json.loads((folder / "scores.json").read_text(encoding="utf-8"))["tests"] == {}


def test_training_records_how_without_naming_the_folders_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "table.tsv").write_text(lines_with_a_held_out_part() * 8, encoding="utf-8")
    sizes = ["--vocabulary", "290", "--embedding", "8", "--encoder-state", "4", "--state", "8", "--batch-tokens", "200"]
    validation = next(n for n in range(10_000) if 15 <= bucket(f"The cat has {n} mats.") < 25)
    (tmp_path / "v.en").write_text(f"The cat has {validation} mats.\n")
    (tmp_path / "v.fr").write_text("Un chat.\n")
    files = [
        "--table",
        str(tmp_path / "table.tsv"),
        "--source",
        str(tmp_path / "v.en"),
        "--target",
        str(tmp_path / "v.fr"),
    ]
    status, _, told = call(
        "train", *files, *sizes, "--updates", "2", "--out", str(tmp_path / "made"), "--precision", "float32"
    )
    assert status == 0, told
    record: dict[str, Any] = json.loads((tmp_path / "made" / "training.json").read_text(encoding="utf-8"))
    assert record["command"].startswith("python -m model train --table table.tsv --source v.en --target v.fr")
    assert "--updates 2" in record["command"]
    assert record["pairs"] == {"for training": 240, "for validation": 1, "held out": 56, "left out as too long": 0}
    assert record["options"]["updates"] == 2
    card = (tmp_path / "made" / "README.md").read_text(encoding="utf-8")
    assert record["command"] in card
    assert str(tmp_path) not in card + json.dumps(record)
    assert "reading the sentence pairs" in told
