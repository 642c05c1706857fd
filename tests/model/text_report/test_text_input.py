"""A stranger's text is read as lines, what is mended is told, and what is no text is refused in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.input_error import InputError
from regard.model.readable import SENTENCE_CHARACTERS, TEXT_BYTES
from regard.model.text_report.text_input import LINES, read, sentences

PAIR = ("en", "fr")


def test_a_paragraph_is_divided_and_lines_with_references_are_not() -> None:
    text = read(b"Mr. Smith sat down. He slept! Did he?\n\nIt is here. It is.\tC'est ici.", PAIR)
    assert [(line.number, line.line, line.source, line.reference) for line in text.lines] == [
        (1, 1, "Mr. Smith sat down.", ""),
        (2, 1, "He slept!", ""),
        (3, 1, "Did he?", ""),
        (4, 2, "", ""),
        (5, 3, "It is here. It is.", "C'est ici."),
    ]
    assert "2 lines were divided into 4 sentences" in text.notes[0]
    assert [line.source for line in read(b"One. Two.", PAIR, split=False).lines] == ["One. Two."]


@pytest.mark.parametrize(
    "divided",
    [
        ["See Dr. J. Doe, e.g. Monday. it rained.", "So did I.", "Then he left."],
        ["He climbed Mt. Everest on Jan. 5 with Apple Inc. Chief Tim."],
        ["It starts at 5 p.m. Monday."],
        ["She joined the U.S. Army in 1990."],
        ["The St. Louis Co. Board met Gov. Brown at 9 a.m. Tuesday in Washington, D.C. Monuments are near."],
        ["He has a Ph.D. Students like Lt. Smith Jr. Call No. 5."],
        ["It began at 5 p.m.", "We left.", "I work for Apple Inc.", "The pay is good in the U.S.", "It's far."],
    ],
)
def test_an_abbreviation_or_an_initial_ends_a_sentence_only_before_a_word_that_opens_one(divided: list[str]) -> None:
    assert sentences(" ".join(divided)) == divided


def test_links_become_a_pair_and_wrong_ones_are_left_out_with_their_line() -> None:
    text = read(b"do n't go\tn' y va pas\t0-0 1p3\na b\tc d\t0-2\na\tb\tx", PAIR)
    first = text.lines[0]
    assert (first.source, first.reference) == ("don't go", "n'y va pas")
    assert first.gold is not None
    assert (first.gold.sure, first.gold.possible) == (frozenset({(0, 0)}), frozenset({(0, 0), (1, 3)}))
    assert [line.gold for line in text.lines[1:]] == [None, None]
    assert [note.split(":")[0] for note in text.notes] == [
        "Line 3 was read without a third column, which has no links such as 0-0.",
        "the text, line 2",
    ]


@pytest.mark.parametrize(
    ("text", "lines", "note"),
    [
        ("0\tGo.\t9\tVa.\n1\tStay.\t12\tReste.", [("Go.", "Va."), ("Stay.", "Reste.")], "column 1 and 3"),
        ("17\tI see.\n18\tYou go.", [("I see.", ""), ("You go.", "")], "column 1"),
        ("Go.\tVa !\tCC-BY 2.0 (France), 2019-05-01 #12", [("Go.", "Va !")], "Line 1 was read without a third"),
        ("5\n7", [("5", ""), ("7", "")], ""),
        ("שלום עולם", [("שלום עולם", "")], "not of the Latin alphabet"),
        ("I go.\nI \u200elo\u00adve it.", [("I go.", ""), ("I love it.", "")], "Line 2 was changed: 1 soft hyphen"),
    ],
)  # fmt: skip
def test_what_is_no_text_of_the_language_is_named(text: str, lines: list[tuple[str, str]], note: str) -> None:
    found = read(text.encode(), PAIR)
    assert [(line.source, line.reference) for line in found.lines] == lines
    assert bool(found.notes) == bool(note)
    assert note in "".join(found.notes)


def test_other_encodings_are_read_and_told() -> None:
    assert read("Café.\n".encode("utf-16"), PAIR).lines[0].source == "Café."
    text = read("plain\nCafé.".encode("cp1252"), PAIR)
    assert text.lines[1].source == "Café."
    assert text.notes == ("Line 2 is not UTF-8, so the text was read as Windows-1252, the encoding of Western Europe.",)
    assert read("\ufeffHello.".encode(), PAIR).lines[0].source == "Hello."


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"PK\x03\x04\0\0", "zero bytes"),
        (b"a" * (TEXT_BYTES + 1), "up to 5,000,000"),
        (b" \n\n ", "is empty"),
        (b"", "empty"),
    ],
)
def test_what_is_no_text_is_refused_in_words(content: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read(content, PAIR)


def test_too_many_lines_and_a_line_too_long_are_cut_and_told() -> None:
    text = read(b"word\n" * 5000, PAIR)
    assert len(text.lines) == LINES
    assert "has 5,000 lines; its first 1,000" in text.notes[0]
    long = read(b"short\n" + b"x" * 1_000_000, PAIR)
    assert len(long.lines[1].source) == SENTENCE_CHARACTERS
    assert long.notes == ("Line 2 was cut at 2,000 characters.",)


@given(st.binary(max_size=200))
def test_any_bytes_give_numbered_lines_or_a_reason(content: bytes) -> None:
    try:
        text = read(content, PAIR)
    except InputError:
        return
    assert [line.number for line in text.lines] == [*range(1, len(text.lines) + 1)]
    assert all(first.line <= second.line for first, second in zip(text.lines, text.lines[1:], strict=False))
