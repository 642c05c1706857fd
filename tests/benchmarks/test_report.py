from dataclasses import replace

import pytest

from benchmarks import beam, training, translation
from benchmarks.report import Table, page, put
from regard.model.checkpoint import Pretrained


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "REPEATS", 2)
    monkeypatch.setattr(beam, "WORDS", 5)
    monkeypatch.setattr(beam, "WIDTHS", (1, 3))
    monkeypatch.setattr(translation, "SENTENCES", {words: translation.SENTENCES[words] for words in (5, 10)})
    monkeypatch.setattr(training, "UPDATES", 4)
    monkeypatch.setattr(training, "PAIRS", 300)
    monkeypatch.setattr(training.os, "cpu_count", lambda: 1)


def test_translating_is_measured_at_every_length(tiny_model: Pretrained) -> None:
    table = translation.measure(tiny_model)
    assert [int(row[0]) for row in table.rows] == list(translation.SENTENCES)
    assert {len(row) for row in table.rows} == {len(table.header)}


def test_searching_is_measured_at_every_width(tiny_model: Pretrained) -> None:
    table = beam.measure(tiny_model)
    assert [int(row[0]) for row in table.rows] == list(beam.WIDTHS)
    assert {len(row) for row in table.rows} == {len(table.header)}
    nodes = [int(row[1].replace(",", "")) for row in table.rows]
    assert nodes == sorted(set(nodes))


def test_training_is_measured_in_tokens_a_second(tiny_model: Pretrained) -> None:
    table = training.measure(tiny_model)
    assert table.rows[0][0] == "float32"
    assert page("", [table]).count("float32") == 1


def test_a_table_measured_apart_takes_the_place_of_its_own_and_says_under_what_conditions() -> None:
    first, second = (Table(title, "How.", ("", "ms"), (("a", "1"),)) for title in ("One", "Two"))
    written = page("Linux.", [first, second])
    again = put(written, [replace(first, rows=(("a", "9"),)), replace(first, title="Three")], "Slow.")
    assert again.index("## One") < again.index("## Two") < again.index("## Three")
    assert again.count("## One") == 1
    assert "How. Measured apart: Slow.\n\n|  | ms |\n| --- | ---: |\n| a | 9 |" in again
    assert put(again, [], "Slow.") == again
