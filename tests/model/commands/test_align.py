import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.server import ROOT
from regard.__main__ import COMMANDS
from regard.model.checkpoint import Pretrained, shipped
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import force, translate
from regard.model.word_alignment.detokenize import between, join, links
from tests.support.run_command import call


def test_align_links_the_given_words(folder: str, tiny_model: Pretrained, tmp_path: Path) -> None:
    pairs = [
        ("I do n't love the car .", "Je n' aime pas l' auto ."),
        ("", ""),
        ("The cat", ""),
        ("Where is it ?", "Où est -il ?"),
    ]
    for side, name in enumerate(("en", "fr")):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")
    files = ("--source", str(tmp_path / "en"), "--target", str(tmp_path / "fr"))
    for rows in ("output", "input"):
        status, out, told = call("align", "--model", folder, "--rows", rows, *files)
        assert (status, told) == (0, "")
        *printed, end = out.decode().split("\n")
        assert printed[1:3] == ["", end] == ["", ""]
        assert printed[0].count("-") > 3
        for line, (source_line, target_line) in zip(printed, pairs, strict=True):
            source, target = join(source_line, "en"), join(target_line, "fr")
            alignment = force(tiny_model, [(source.text, target.text)])[0].alignment
            expected = links(between(alignment, source, target, rows))
            assert line == " ".join(f"{i}-{j}" for i, j in expected)
            assert all(i < len(source_line.split()) and j < len(target_line.split()) for i, j in expected)


def test_a_transformer_is_translated_with_searched_with_and_aligned_with_like_any_model(tmp_path: Path) -> None:
    folder, sentence = str(shipped("reverse-transformer")), "2 5 9 1"
    for search in ((), ("--beam", "4")):
        assert call("translate", "--model", folder, *search, sentence) == (0, b"1 9 5 2\n", "")
    _, out, _ = call("translate", "--model", folder, "--json", sentence)
    (trace,) = translate(load_transformer(folder), [sentence])
    assert json.loads(out)["cross_attention.weights"] == trace.cross_attention.weights.tolist()
    for name, text in (("source", sentence), ("target", "1 9 5 2")):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    files = ("--source", str(tmp_path / "source"), "--target", str(tmp_path / "target"))
    status, out, told = call("align", "--model", folder, *files)
    expected = links(between(trace.alignment, join(sentence, "plain"), join("1 9 5 2", "plain"), "output"))
    assert (status, told) == (0, "")
    assert out.decode().strip() == " ".join(f"{i}-{j}" for i, j in expected)
    (tmp_path / "source").write_text("2 cats 9 1\n", encoding="utf-8")
    status, _, told = call("align", "--model", folder, *files)
    assert status == 0
    assert f"{tmp_path / 'source'}, line 1: the model does not know “cats”" in told


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


BAD = {
    "no model": ("translate --model nowhere x", "nowhere is not a model folder"),
    "beam 0": ("translate --model MODEL --beam 0 x", "--beam is 0; it must be from 1 to"),
    "unknown command": ("sing", "invalid choice: 'sing'"),
    "missing file": ("align --model MODEL --source none.en --target DATA/one", "none.en: No such file"),
    "a folder": ("align --model MODEL --source DATA --target DATA/one", "Is a directory"),
    "lines": ("align --model MODEL --source DATA/two --target DATA/one", "one ends at line 1, "),
    "not UTF-8": ("align --model MODEL --source DATA/bad --target DATA/two", "bad, line 2: not UTF-8"),
    "rows": ("align --rows both --source a --target b", "invalid choice: 'both'"),
    "reading of the word fed in": (
        "align --reading posterior --rows input --source a --target b",
        "--rows input needs --reading weights; --reading posterior belongs to the word produced",
    ),
    "nothing to measure": ("evaluate --model MODEL", "nothing to measure"),
    "evaluate beam": ("evaluate --model MODEL --test t DATA/one DATA/one --beam 1", "from 2 to 100"),
    "sample 0": ("evaluate --model MODEL --test t DATA/one DATA/one --sample 0", "--sample is 0"),
    "no stories": ("evaluate --model MODEL --alignments DATA", "it has no folder of a story"),
    "table": ("evaluate --model MODEL --table DATA/one", "one, line 1: no tab"),
    "empty test": ("evaluate --model MODEL --test t DATA/no DATA/no2", "the test t has no pairs"),
    "same name": (
        "evaluate --model MODEL --test t DATA/one DATA/one2 --test t DATA/one DATA/one2",
        "two tests are called t",
    ),
    "no story": ("evaluate --model MODEL --alignments none", "none: No such file"),
    "nothing to write": ("card", "the following arguments are required: DIR"),
    "no config": ("card DATA", "config.json: No such file"),
    "speed": ("evaluate --model MODEL --only speed", "give --table"),
    "few sentences": ("axes en-fr --text DATA/two", "two has 2 different sentences; axes take at least 100"),
    "few pairs": ("train --table DATA/pair --out made", "give at least 100 usable pairs"),
    "nowhere": ("train --table none --out /proc/made --dry-run", "train: /proc/"),
    "average": ("train --table none --out made --average typo", "typo: no such save or model"),
    "no text to remember": ("memory --model MODEL", "give --table"),
    "megabytes": ("memory --model MODEL --table DATA/pair --megabytes nan", "at most 1,000,000"),
    "hidden": ("practise --out made --hidden 9", "hidden is 9; accepted is an even number"),
    "rate": ("practise --out made --rate nan", "rate is nan"),
    "heads": ("practise --out made --heads 2", "--heads is given, which a recurrent"),
    "nothing to report": ("report --source none", "give --reference, --html, --tsv, --jsonl or --pharaoh"),
    "an empty text": ("report --source DATA/no --tsv DATA/x", "no is empty; give a file with one"),
    "a folder to write": ("report --source DATA/one --html DATA", "is a folder"),
    "the text itself": ("report --source DATA/one --tsv DATA/one", "one is named twice"),
    "references": ("report --source DATA/one --reference DATA/two", "they must correspond"),
    "threads": ("translate --threads 0 a", "--threads is 0; it must be from 1 to 1,024"),
    "batch 0": ("translate --batch 0 a", "--batch is 0"),
    "past the end": ("translate --model MODEL --intervention DATA/far I", "source token 40 is past"),
    "no intervention": ("translate --intervention DATA/bad I", "bad: not JSON in UTF-8"),
    "intervention and beam": ("translate --intervention DATA/far --beam 2 I", "omit --beam"),
}
FILES = {
    "one": b"a\n",
    "one2": b"a\n",
    "two": b"a\nb\n",
    "bad": b"a\n\xff\n",
    "no": b"",
    "no2": b"",
    "pair": b"a\tb\n",
    "far": b'{"hidden": [40]}',
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_ends_with_one_clear_line(folder: str, tmp_path: Path, case: str) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    arguments, told = BAD[case]
    filled = [item.replace("MODEL", folder).replace("DATA", str(tmp_path)) for item in arguments.split()]
    status, out, error = call(*filled)
    assert status in (1, 2)
    assert out == b""
    lines = error.splitlines()
    assert told in lines[-1]
    assert len(lines) == 1 or case == "few pairs"  # which tells something before
    assert lines[-1].startswith("regard")


def test_a_reader_that_leaves_early_is_no_error(folder: str) -> None:
    command = [sys.executable, "-m", "regard", "translate", "--model", folder, *["I love you."] * 5000]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert b"Traceback" not in running.stderr.read()
        assert running.wait(60) == 141


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_error(closed: str, folder: str) -> None:
    command = shlex.join([sys.executable, "-m", "regard", "translate", "--model", folder, "--json", "I love you."])
    done = subprocess.run(f"{command} {closed}", shell=True, capture_output=True, cwd=ROOT, check=False)
    # On a slow machine, lines of progress come too.
    said = [line for line in done.stderr.split(b"\r") if line and b"sentence]" not in line]
    assert (done.returncode, said) == (0, [])


def test_an_interrupt_ends_with_130_and_nothing_else(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("regard.model.commands.translate.load_any", interrupt)
    assert call("translate", "--model", folder, "x") == (130, b"", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    status, out, told = call(command, "--help")
    assert (status, told) == (0, "")
    assert f"usage: regard {command}" in out.decode()
    assert COMMANDS[command][1:] in " ".join(out.decode().split())


def test_help_does_not_load_pytorch() -> None:
    code = "import sys; from regard.__main__ import main\ntry: main()\nexcept SystemExit: print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, cwd=ROOT, check=True)
    assert done.stdout.decode().splitlines()[-1] == "False"
