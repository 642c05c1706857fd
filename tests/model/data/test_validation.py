import gzip
from pathlib import Path

import pytest

from regard.model.data.corpus import Pair, read_table
from regard.model.data.validation import (
    BLANK,
    CONTROLS,
    DAMAGED,
    INVISIBLE,
    LONG,
    LONGEST_LINE,
    NUMBER,
    REPEATED,
    SAME,
    check,
)


def two(folder: Path, source: str, target: str) -> tuple[Path, Path]:
    (folder / "t.en").write_bytes(source.encode())
    (folder / "t.fr").write_bytes(target.encode())
    return folder / "t.en", folder / "t.fr"


def test_every_line_that_is_skipped_is_counted_under_its_reason(tmp_path: Path) -> None:
    long = "x" * (LONGEST_LINE + 1)
    source = f"\ufeffA cat.\r\n\nA cat.\n{long}\nlost \ufffd\nOK\nA  cat.\nA dog.\n"
    target = "Un chat.\r\nVide.\nUne chatte.\nun\nperdu\nOK\nUn chat.\nUn\x07chien.\n"
    (checked,) = check([], [two(tmp_path, source, target)], keep_repeated=False)
    assert checked.lines == 8
    assert checked.pairs == [
        Pair("A cat.", "Un chat."), Pair("A cat.", "Une chatte."), Pair("OK", "OK"), Pair("A dog.", "Un chien."),
    ]  # fmt: skip
    assert checked.skipped == {BLANK: [2], LONG: [4], DAMAGED: [5], REPEATED: [7]}
    assert checked.noted == {INVISIBLE: [1], CONTROLS: [8], SAME: [6]}


TATOEBA = "".join(f"{n}\tI see it {n}.\t{n + 9}\tje le vois {n}.\n" for n in range(30))


@pytest.mark.parametrize("table", [TATOEBA, "id\tEnglish\tid\tFrench\n" + TATOEBA, TATOEBA.replace("\t2", "\t0.2")])
def test_columns_of_numbers_teach_nothing_and_that_is_reported(table: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(table)
    (checked,) = check([tmp_path / "pairs.tsv"], [], keep_repeated=False)
    pairs = [Pair(f"I see it {n}.", f"je le vois {n}.") for n in range(30)]
    assert checked.pairs[-30:] == read_table(tmp_path / "pairs.tsv")[-30:] == pairs
    assert "columns of numbers are not used: column 1 and 3" in checked.report()[2]


def test_a_number_as_a_side_of_two_is_used_and_reported(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("1\tI see.\n2\ttwo\n")
    (checked,) = check([tmp_path / "pairs.tsv"], [], keep_repeated=False)
    assert (len(checked.pairs), checked.noted) == (2, {NUMBER: [1, 2]})


def test_a_side_of_just_the_longest_length_is_kept(tmp_path: Path) -> None:
    (checked,) = check([], [two(tmp_path, "x" * LONGEST_LINE, "y")], keep_repeated=False)
    assert len(checked.pairs) == 1


def test_a_pair_is_repeated_in_another_file_too_and_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "one.tsv").write_text("A cat.\tUn chat.\tCC-BY\n")
    files = [tmp_path / "one.tsv"], [two(tmp_path, "A cat.\n", "Un chat.\n")]
    first, second = check(*files, keep_repeated=False)
    assert (len(first.pairs), second.pairs, second.skipped) == (1, [], {REPEATED: [1]})
    assert [len(checked.pairs) for checked in check(*files, keep_repeated=True)] == [1, 1]


def test_the_report_says_what_is_skipped_and_where(tmp_path: Path) -> None:
    source, target = "\n" * 6 + "A cat.\nA cat.\n", "x\n" * 6 + "Un chat.\nUn chat.\n"
    (checked,) = check([], [two(tmp_path, source, target)], keep_repeated=False)
    assert checked.report() == [
        "t.en, t.fr: 8 lines, 1 pairs to use",
        "    lines  skipped, because                                          the first of them",
        "        6  a side is blank                                           1, 2, 3, 4, 5, …",
        "        1  the same pair stands earlier                              8",
    ]


def test_a_clean_text_is_told_in_one_line(tmp_path: Path) -> None:
    (checked,) = check([], [two(tmp_path, "A cat.\n", "Un chat.\n")], keep_repeated=False)
    assert checked.report() == ["t.en, t.fr: 1 lines, 1 pairs to use"]


def test_lines_without_a_tab_stop_with_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a\tb\nno\n\nno\nnor\n")
    told = r"t\.tsv, line 2: no tab between source and target \(and in 2 more: 4, 5\); a line is source TAB target"
    with pytest.raises(ValueError, match=told):
        check([tmp_path / "t.tsv"], [], keep_repeated=False)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("été\n".encode("latin-1"), r"t\.en, line 1: not UTF-8 .*; save it as UTF-8"),
        ("été\n".encode("utf-16"), r"t\.en: this is UTF-16; save it as UTF-8"),
        ("one\ntwo\n".encode("utf-16-le"), r"t\.en, line 1: a zero byte"),
        (b"one\ntwo\n", r"t\.en has 2 lines and .*t\.fr has 1; they must correspond"),
    ],
    ids=["Latin-1", "UTF-16", "UTF-16 without a mark", "another count"],
)
def test_what_is_no_parallel_text_stops_with_file_and_reason(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "t.en").write_bytes(content)
    (tmp_path / "t.fr").write_bytes(b"un\n")
    with pytest.raises(ValueError, match=told):
        check([], [(tmp_path / "t.en", tmp_path / "t.fr")], keep_repeated=False)


def test_a_file_given_as_both_sides_stops(tmp_path: Path) -> None:
    (tmp_path / "t.en").write_text("a\n")
    with pytest.raises(ValueError, match="given as source and as target"):
        check([], [(tmp_path / "t.en", tmp_path / "t.en")], keep_repeated=False)


def test_a_packed_text_is_read_like_a_plain_one(tmp_path: Path) -> None:
    (tmp_path / "t.tsv.gz").write_bytes(gzip.compress(b"a\tb\n"))
    assert check([tmp_path / "t.tsv.gz"], [], keep_repeated=False)[0].pairs == [Pair("a", "b")]
