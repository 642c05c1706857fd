"""A language without blanks between words, trained here from a few made sentences."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from regard.model.checkpoint import TOKENIZER, WEIGHTS, load
from regard.model.tokenizer import BYTES, CONTROL
from tests.support.run_command import call

SIZES = (
    "--embedding 8 --encoder-state 4 --state 8 --batch-tokens 400 --precision float32 --updates 4 --validate-every 2"
)
HAN = [chr(0x4E00 + 7 * place) for place in range(450)]  # more characters than a vocabulary once kept


def japanese(number: int) -> str:
    one, two, three = (HAN[(number * step) % len(HAN)] for step in (1, 7, 31))
    return f"{one}と{two}が{number}つの{three}を見た。"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    lines = (f"They saw {number} of them.\t{japanese(number)}" for number in range(1500))
    (tmp_path / "en-ja.tsv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "en-ja.tsv"


def train(table: Path, out: Path, *options: str) -> str:
    status, _, told = call(
        "train", "--table", str(table), "--out", str(out), "--vocabulary", "900", *SIZES.split(), *options
    )
    assert status == 0, told
    return told


TRAINED = """
import sys
from regard.__main__ import main
table, options = sys.argv[1], sys.argv[2:]
for command in (["train", "--out", "made", *options], ["memory", "--model", "made"]):
    sys.argv[1:] = [*command, "--table", table]
    assert main() == 0
"""
MEASURED = re.compile(rb'"(milli)?seconds": [0-9.]+|(?<=\n)(\d+,\d+,\d+,)[0-9.]+')  # in scores.json and history.csv


def test_two_processes_with_two_hash_seeds_write_the_same_files_to_the_byte(table: Path, tmp_path: Path) -> None:
    """Many characters tie where the vocabulary ends; only the seconds taken may differ."""
    few = tmp_path / "few.tsv"
    few.write_bytes(b"".join(table.read_bytes().splitlines(keepends=True)[:400]))
    started = []
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-c", TRAINED, few, "--vocabulary", "700", *SIZES.split()]
        started.append(subprocess.Popen(command, cwd=tmp_path / seed, env=environment, stderr=subprocess.PIPE))
    for process in started:
        told = process.communicate(timeout=300)[1]
        assert process.returncode == 0, told
    one, other = (
        {path.name: MEASURED.sub(rb"\2", path.read_bytes()) for path in (tmp_path / seed / "made").iterdir()}
        for seed in ("1", "2")
    )
    assert {"memory.safetensors", "occurrences.safetensors", TOKENIZER, WEIGHTS, "training.json"} <= one.keys()
    assert [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)] == []


def test_a_japanese_model_reads_characters_and_is_measured_by_them(table: Path, tmp_path: Path) -> None:
    told = train(table, tmp_path / "dry", "--dry-run")
    assert "sacrebleu's char" in told
    assert re.search(r"\b[1-9] rare characters, 0\.0\d% of the text, are spelled in bytes: ", told)
    train(table, tmp_path / "made")
    model = load(tmp_path / "made")
    ids = [index for number in range(200) for index in model.tokenizer.encode(japanese(number), "ja").ids]
    assert sum(len(CONTROL) <= index < len(CONTROL) + len(BYTES) for index in ids) < len(ids) / 100
    encoding = model.tokenizer.encode(japanese(5), "ja")
    words = [encoding.text[word.start : word.stop] for word in encoding.words]
    assert "".join(words) == japanese(5)
    assert max(map(len, words)) == 1
    scores = json.loads((tmp_path / "made" / "scores.json").read_text(encoding="utf-8"))
    assert "tok:char" in json.dumps(scores)
    assert "tok:13a" not in json.dumps(scores)
