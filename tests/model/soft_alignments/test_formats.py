"""Other programs' attention is read as written; examples by hand, in each format."""

import re

import numpy as np
import pytest

from benchmarks.server import ROOT
from regard.model.soft_alignments.formats import FORMATS, read
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import File
from regard.model.words import END

PAGE = ROOT / "app" / "screens" / "attention_files" / "formats.md"
EXAMPLES = re.findall(r"^```\w+\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
WEIGHTS = [
    [0.71, 0.1, 0.1, 0.05, 0.04],
    [0.02, 0.03, 0.9, 0.03, 0.02],
    [0.02, 0.03, 0.9, 0.03, 0.02],
    [0.05, 0.8, 0.1, 0.03, 0.02],
    [0.01, 0.01, 0.03, 0.9, 0.05],
    [0.01, 0.02, 0.02, 0.05, 0.9],
]
WORDS = ("je", "t'", "aime", ".")


def one(text: str, name: str = "", source: str = "", first: int = 0) -> ForeignSentence:
    """The only sentence of a text; `source` is the second file."""
    beside = GivenBeside(File.decode("source.txt", source.encode()), first)
    (sentence,) = read("attention.txt", text.encode(), name, beside).sentences
    return sentence


def tokens(text: str, name: str = "", source: str = "") -> tuple[list[str], list[str]]:
    """Source and target as they are shown, without blanks."""
    alignment = one(text, name, source).alignment
    return [token.strip() for token in alignment.source.tokens], [token.strip() for token in alignment.target.tokens]


def test_the_page_of_formats_has_an_example_of_each_that_is_recognised() -> None:
    found = [read("example", text.encode()).format for text in EXAMPLES]
    assert found == [name for name in FORMATS if name != "trace"]


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_of_the_page_has_the_same_translation(text: str) -> None:
    words = one(text).alignment.target.words
    assert tuple(word for word in words if word != END) == (
        WORDS if text != EXAMPLES[list(FORMATS).index("pharaoh")] else ("#1", "#2", "#3", "#4", "#5")
    )


def test_a_marian_line_has_the_weights_of_each_target_token_between_blanks() -> None:
    read_in = one(EXAMPLES[0], source="I love you .")
    assert np.array_equal(read_in.alignment.weights, np.array(WEIGHTS, np.float32))
    assert read_in.alignment.source.words == ("I", "love", "you", ".", END)
    assert read_in.alignment.target.words == (*WORDS, END)
    assert not read_in.links
    assert read_in.notes == ()


def test_marian_without_the_source_numbers_its_tokens_and_says_so() -> None:
    read_in = one(EXAMPLES[0])
    assert read_in.alignment.source.words == ("#1", "#2", "#3", "#4", END)
    assert "source" in read_in.notes[0]


def test_an_old_marian_has_no_row_for_the_end_of_the_target() -> None:
    assert tokens("a b ||| 0.7,0.3 0.2,0.8", source="x") == (["x", END], ["a", "b"])


def test_an_empty_translation_of_marian_has_its_end_alone() -> None:
    assert tokens(" ||| 0.25,0.75", source="x") == (["x", END], [END])


def test_an_n_best_list_of_marian_takes_the_source_by_its_number() -> None:
    lines = "1 ||| a ||| 0.5,0.5 ||| F0= -1.6 ||| -1.6\n0 ||| b ||| 0.5,0.5 ||| F0= -1.8 ||| -1.8"
    beside = GivenBeside(File("source.txt", ("zero", "one")))
    found = read("n-best", lines.encode(), "", beside).sentences
    assert [(each.alignment.source.text, each.alignment.target.text) for each in found] == [("one", "a"), ("zero", "b")]


def test_links_behind_a_translation_are_weights_of_one() -> None:
    read_in = one("a@@ b c ||| 0-0 1-1 2-1 3-3", source="x y z")
    assert read_in.links
    assert read_in.alignment.weights.tolist() == [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert read_in.alignment.target.words == ("ab", "c", END)
    assert read_in.sums.tolist() == [1, 2, 0, 1]


def test_the_rows_of_nematus_are_the_target_and_those_of_sockeye_the_source() -> None:
    nematus = one("0 ||| a b ||| 0 ||| x y ||| 0 0\n0.9 0.1\n0.2 0.8\n")
    sockeye = one("0 ||| a b ||| 0 ||| x y ||| 2 ||| 2\n0.9 0.2\n0.1 0.8\n")
    expected = np.array([[0.9, 0.1], [0.2, 0.8]], np.float32)
    assert np.array_equal(nematus.alignment.weights, expected)
    assert np.array_equal(sockeye.alignment.weights, expected)


def test_rows_that_fit_only_the_other_way_are_read_so_and_that_is_told() -> None:
    read_in = one("0 ||| a ||| 0 ||| x y z ||| 3 ||| 1\n0.5 0.25 0.25\n")
    assert read_in.alignment.weights.tolist() == [[0.5, 0.25, 0.25]]
    assert "target" in read_in.notes[0]


def test_nematus_has_weights_for_ends_that_are_not_written_and_opennmt_has_none() -> None:
    with_ends = "0 ||| a ||| 0 ||| x ||| 2 2\n0.9 0.1 \n0.2 0.8 \n\n1 ||| b ||| 0 ||| y ||| 2 2\n1 0\n0 1\n"
    first, second = read("out", with_ends.encode()).sentences
    assert (first.line, second.line) == (1, 5)
    assert first.alignment.target.words == ("a", END)
    assert tokens("0 ||| a ||| 0 ||| x ||| 0 0\n1\n") == (["x"], ["a"])


def test_the_table_of_opennmt_is_found_between_the_lines_of_its_log() -> None:
    table = (
        "           "
        + "         x  embarra \n"
        + "         a *0.9000000  0.1000000 \n      </s>  0.2000000 *0.8000000 \n"
    )
    log = f"\nSENT 1: ['x', 'embarrassed']\nPRED 1: a\nPRED SCORE: -0.1000\n{table}PRED AVG SCORE: -0.1\n"
    read_in = one(log)
    assert read_in.alignment.weights.tolist() == np.array([[0.9, 0.1], [0.2, 0.8]], np.float32).tolist()
    assert read_in.alignment.target.words == ("a", END)
    assert "cuts names" in read_in.notes[0]
    assert tokens(log, source="x embarrassed")[0] == ["x", "embarrassed"]


def test_sockeye_links_stand_behind_a_tab_or_in_json() -> None:
    by_tab, by_json = one("a b\t0-1 1-0"), one('{"translations": ["a b"], "alignments": [[[0, 1], [1, 0]]]}')
    assert by_tab.alignment.weights.tolist() == by_json.alignment.weights.tolist() == [[0, 1], [1, 0]]
    assert by_tab.links
    assert by_json.links


def test_pharaoh_links_take_both_sides_from_a_second_file() -> None:
    read_in = one("0-0 2-1", source="x y z ||| a b c")
    assert read_in.alignment.weights.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert (read_in.alignment.source.text, read_in.alignment.target.text) == ("x y z", "a b c")


def test_pharaoh_links_may_count_from_one_and_be_possible_or_probable() -> None:
    gold = one("1-1 2p1", first=1)
    assert gold.alignment.weights.tolist() == [[1, 1]]
    assert "1 of its links" in gold.notes[0]
    probable = one("0-0:0.25 1-0:0.5")
    assert probable.alignment.weights.tolist() == [[0.25, 0.5]]
    assert not probable.links


def test_an_empty_line_of_links_is_a_sentence_whose_words_are_linked_to_none() -> None:
    assert one("0-0\n\n", source="x ||| a").line == 1
    second = read("links", b"0-0\n\n0-0", "", GivenBeside(File("s", ("x ||| a", "y ||| b", "z ||| c")))).sentences[1]
    assert second.alignment.weights.tolist() == [[0]]
    assert second.links


def test_a_translation_without_a_link_is_a_sentence_even_where_the_source_is_not_known() -> None:
    read_in = one("a b\t", "sockeye_links")
    assert read_in.alignment.weights.tolist() == [[0], [0]]
    assert read_in.links


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("foot@@ ball .", ("football", ".")),
        ("▁foot ball ▁.", ("football", ".")),
        ("foot￭ ball ￭.", ("football.",)),
        ("foot ￭ball .", ("football", ".")),
        ("@@ ▁", ("@@", "▁")),
        ("a </s>", ("a", END)),
        ("a <EOS>", ("a", END)),
    ],
)
def test_joints_say_which_tokens_make_a_word(written: str, words: tuple[str, ...]) -> None:
    count = len(written.split())
    alignment = one("0-0", "pharaoh", source=f"x ||| {written}").alignment
    assert alignment.target.words == words
    assert len(alignment.target.tokens) == count
    spans = [alignment.target.text[span.start : span.stop] for span in alignment.target.characters]
    assert [token.strip() if token != END else "" for token in alignment.target.tokens] == spans


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_a_file() -> None:
    assert tokens("\ufeffa ||| 0.5,0.5\r\n", source="x\r\n") == (["x", END], ["a"])


def test_rows_that_do_not_sum_to_one_are_kept_as_they_are() -> None:
    assert one("a b ||| 0.2,0.2 0,0", source="x").sums.tolist() == pytest.approx([0.4, 0])
