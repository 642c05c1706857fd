from pathlib import Path

import pytest

from benchmarks import tokens
from regard.model.checkpoint import Pretrained


def test_texts_whose_tokens_differ_are_counted(
    shipped: Pretrained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "HOSTILE", 40)
    table = tmp_path / "pairs.tsv"
    table.write_text("I don't love the red car.\tJe n'aime pas l'auto.\nHi 😀!\tQu'y a-t-il ?\n", encoding="utf-8")
    (found,) = tokens.measure(shipped, table)
    assert found.rows == (
        ("English", "2", "0"),
        ("French", "2", "0"),
        ("hostile, read as English", "40", "0"),
        ("hostile, read as French", "40", "0"),
    )
    monkeypatch.setattr(tokens, "tokenized", lambda model, texts, language: ([] for _ in texts))
    assert {row[2] for row in tokens.measure(shipped, table)[0].rows} == {"2", "40"}
