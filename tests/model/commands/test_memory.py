import json
from pathlib import Path

import pytest

from regard.model.cards.record_files import SCORES_FILE
from regard.model.checkpoint import load
from regard.model.data.corpus import Pair, bounds, split
from regard.model.memory.datastore import load as load_memory
from regard.model.memory.occurrences import OCCURRENCES
from regard.model.tokenizer import Tokenizer
from tests.support.run_command import call
from tests.support.small_texts import PAIRS
from tests.support.small_translator import write_translator

TEXT = [Pair(f"{number} times: {source}", target) for number in range(40) for source, target in PAIRS]


@pytest.fixture
def folder(tmp_path: Path, tokenizer: Tokenizer) -> Path:
    write_translator(tmp_path / "model", tokenizer)
    (tmp_path / "pairs.tsv").write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in TEXT), encoding="utf-8")
    return tmp_path


def test_only_the_training_part_is_kept(folder: Path) -> None:
    status, printed, told = call("memory", "--model", str(folder / "model"), "--table", str(folder / "pairs.tsv"))
    assert status == 0, told
    model = load(folder / "model")
    store = load_memory(model.folder, model.fingerprint)
    assert store is not None
    kept = {model.tokenizer.decode(store.source(pair)) for pair in range(store.sentences)}
    parts = split(TEXT, bounds(len(TEXT)))
    assert parts.test
    assert parts.validation
    assert kept == {pair.source for pair in parts.train}
    assert json.loads(printed)["sentence_pairs"] == store.sentences == len(parts.train)
    assert (model.folder / OCCURRENCES).is_file()
    assert f"{store.sentences} sentence pairs" in told


def test_the_record_of_a_memory_stands_beside_it(folder: Path) -> None:
    model, out = folder / "model", folder / "out"
    record = {"format": 1, "model": {"fingerprint": load(model).fingerprint}}
    (model / SCORES_FILE).write_text(json.dumps(record), encoding="utf-8")
    command = ("memory", "--model", str(model), "--table", str(folder / "pairs.tsv"))
    status, printed, told = call(*command, "--out", str(out))
    assert status == 0, told
    assert "states" in json.loads(printed)
    assert json.loads((model / SCORES_FILE).read_text(encoding="utf-8")) == record
    assert call(*command)[:2] == (0, b"")
    assert "states" in json.loads((model / SCORES_FILE).read_text(encoding="utf-8"))["memory"]
