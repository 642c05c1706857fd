import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.corpus import (
    BLANK,
    CONTROLS,
    DAMAGED,
    INVISIBLE,
    LONG,
    LONGEST_LINE,
    REPEATED,
    SAME,
    Corpus,
    Pair,
    bounds,
    bucket,
    check,
    read_lines,
    read_table,
    read_two,
    split,
)
from regard.model.input_error import InputError
from regard.model.tokenizer import PAD, plain_tokenizer

DIGITS = plain_tokenizer([str(digit) for digit in range(10)])
NUMBERS = st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), min_size=1, max_size=30)
SENTENCES = st.lists(st.from_regex(r"[a-zé]{1,6}", fullmatch=True), min_size=1, max_size=5).map(" ".join)
ENDS = st.text(st.sampled_from(" .!?…\"'«»\u202f\u00a0"), max_size=3)


@given(
    SENTENCES, st.sampled_from([str.upper, str.title, str.lower]), ENDS, ENDS, st.sampled_from(["  ", "\t", "\u00a0 "])
)
def test_sentences_that_differ_in_case_blanks_or_end_punctuation_fall_together(
    sentence: str, change_case: Callable[[str], str], before: str, after: str, blank: str
) -> None:
    assert bucket(before + change_case(sentence).replace(" ", blank) + after) == bucket(sentence)


def test_no_source_sentence_is_in_two_parts_and_no_pair_is_lost() -> None:
    pairs = [Pair(f"Sentence {n}{end}", f"Phrase {n} {end}") for n in range(3000) for end in (".", "!", "")]
    parts = split(pairs)
    assert Counter(parts.train + parts.validation + parts.test) == Counter(pairs)
    keys = [{pair.source.rstrip(".!") for pair in part} for part in (parts.train, parts.validation, parts.test)]
    assert sum(map(len, keys)) == len(set.union(*keys)) == 3000


@pytest.mark.parametrize("name", ["text", "text.gz"])
def test_lines_are_read_from_plain_and_gzipped_files(name: str, tmp_path: Path) -> None:
    content = "é\r\n\nlast, with\u2028a separator".encode()
    (tmp_path / name).write_bytes(gzip.compress(content, mtime=0) if name.endswith("gz") else content)
    assert read_lines(tmp_path / name) == ["é", "", "last, with\u2028a separator"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (gzip.compress(b"text" * 99)[:15], "not a complete gzip file"),
        (b"no gzip", "not a complete gzip file"),
        (gzip.compress(b"a\n" * 10_000_000), "it unpacks to over 100 times its"),
    ],
    ids=["cut", "other", "bomb"],
)
def test_a_broken_gzip_file_and_one_without_an_end_are_refused_by_name(
    content: bytes, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.gz").write_bytes(content)
    with pytest.raises(InputError, match=rf"text\.gz: {told}"):
        read_lines(tmp_path / "text.gz")
    monkeypatch.setattr("regard.model.data.corpus.MOST_BYTES", 10**6)
    with pytest.raises(InputError, match="/dev/zero has more than 1,000,000 bytes"):
        read_lines(Path("/dev/zero"))


def test_a_table_gives_pairs_in_normal_form_and_leaves_out_empty_sides(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("I  love you.\tJe t’aime.\tCC-BY\n\tvide\nempty\t \n\nHi\tSalut\n", "utf-8")
    assert read_table(tmp_path / "pairs.tsv") == [Pair("I love you.", "Je t'aime."), Pair("Hi", "Salut")]


def test_training_text_is_normalised_as_its_language_asks(tmp_path: Path) -> None:
    files = two(tmp_path, "Ｔ１ ﬁn\n", "Ｔ１\n")
    table = tmp_path / "t.tsv"
    table.write_text("Ｔ１ ﬁn\tＴ１\n", encoding="utf-8")
    for pairs in (read_two(*files, ("en", "ja")), check([table], [], False, ("en", "ja"))[0].pairs):
        assert pairs == [Pair("T1 fin", "Ｔ１")]
    assert read_table(table) == [Pair("T1 fin", "T1")]
    (checked,) = check([], [two(tmp_path, "Ｔ\n", "Ｔ\n")], False, ("ja", "zh"))
    assert "invisible" not in " ".join(checked.noted)


@given(NUMBERS, st.integers(1, 60), st.integers(0, 9))
def test_an_epoch_holds_every_pair_once_in_batches_within_the_budget_unless_a_pair_exceeds_it(
    numbers: list[tuple[int, int]], tokens: int, seed: int
) -> None:
    pairs = [(" ".join(str(one)), " ".join(str(other))) for one, other in numbers]
    made = Corpus([Pair(*pair) for pair in pairs], DIGITS, 100)
    batches, longest = list(made.batches(tokens, seed)), made.longest(tokens)
    for batch in (*batches, longest):
        assert batch.source.numel() + batch.target.numel() <= tokens or len(batch.source) == 1
    assert max(longest.source.shape[1], longest.target.shape[1]) == made.lengths.max()
    drawn = Counter[tuple[str, str]]()
    for batch in batches:
        sides = [[DIGITS.decode(row[row != PAD].tolist()) for row in side] for side in (batch.source, batch.target)]
        drawn.update(zip(*sides, strict=True))
    assert drawn == Counter(pairs)
    assert made.count(tokens) == len(batches)


@pytest.mark.parametrize(
    ("pairs", "expected"), [(10, (100, 200)), (300, (100, 200)), (1000, (30, 60)), (2500, (15, 27)), (10**6, (15, 25))]
)
def test_a_small_text_gives_a_larger_share_to_measure_on(pairs: int, expected: tuple[int, int]) -> None:
    assert bounds(pairs) == expected


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
