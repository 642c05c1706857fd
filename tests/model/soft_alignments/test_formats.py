"""Other programs' attention is read as written, in each format by an example, and what Regard writes is read again."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regard
from regard.app.screens.attention_files.inputs import UNWORDED, examples
from regard.model.alignment import Alignment
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.soft_alignments.formats import FORMATS, WRITTEN, read, writable
from regard.model.soft_alignments.given_attention import CELLS
from regard.model.soft_alignments.record import FROM_ONE, File, ForeignSentence, SecondFile
from regard.model.soft_alignments.text_formats import links_of, write_pharaoh
from regard.model.soft_alignments.tokens import joined, sentence
from regard.model.words import END
from tests.support.model_zips import packed

EXAMPLES = [*examples().values()]


def one(text: str, name: str = "", source: str = "", first: int | None = None) -> ForeignSentence:
    """The only sentence of a text; `source` is the second file."""
    beside = SecondFile(File.decode("source.txt", source.encode()), first)
    (sentence,) = read("attention.txt", text.encode(), name, beside).sentences
    return sentence


def test_the_page_of_formats_has_an_example_of_each_that_is_recognised_with_the_same_translation() -> None:
    found = [read("example", text.encode()) for text in EXAMPLES]
    assert [each.format for each in found] == [name for name in FORMATS if name != "trace"]
    for each in found:
        words = tuple(word for word in each.sentences[0].alignment.target.words if word != END)
        assert words == (("#1", "#2", "#3", "#4", "#5") if each.format in UNWORDED else ("je", "t'", "aime", "."))


TABLE = "                    x  embarra \n         a *0.9000000  0.1000000 \n      </s>  0.2000000 *0.8000000 \n"
ROWS = [  # a text, its second file, the weights that are read, the words of both sides, and part of a note
    ("a b ||| 0.7,0.3 0.2,0.8", "x", [[0.7, 0.3], [0.2, 0.8]], ("x", END), ("a", "b"), ""),
    (" ||| 0.25,0.75", "x", [[0.25, 0.75]], ("x", END), (END,), ""),
    ("\ufeffa b ||| 0.2,0.2 0,0\r\n", "", [[0.2, 0.2], [0, 0]], ("#1", END), ("a", "b"), "tokens of the source"),
    ("a@@ b c ||| 0-0 1-1 2-1 3-3", "x y z", np.eye(4)[[0, 1, 0, 3]] + [[0] * 4, [0, 0, 1, 0], [-1] + [0] * 3, [0] * 4],
     ("x", "y", "z", END), ("ab", "c", END), ""),
    ("0 ||| a b ||| 0 ||| x y ||| 0 0\n.9 .1\n.2 .8\n", "", [[0.9, 0.1], [0.2, 0.8]], ("x", "y"), ("a", "b"), ""),
    ("0 ||| a b ||| 0 ||| x y ||| 2 ||| 2\n.9 .2\n.1 .8\n", "", [[0.9, 0.1], [0.2, 0.8]], ("x", "y"), ("a", "b"), ""),
    ("0 ||| a ||| 0 ||| x y z ||| 3 ||| 1\n.5 .2 .3\n", "", [[0.5, 0.2, 0.3]], ("x", "y", "z"), ("a",), "target"),
    ("0 ||| a ||| 0 ||| x ||| 2 2\n0.9 0.1 \n0.2 0.8 \n", "", [[0.9, 0.1], [0.2, 0.8]], ("x", END), ("a", END), ""),
    ("0 ||| a ||| 0 ||| x ||| 0 0\n1\n", "", [[1]], ("x",), ("a",), ""),
    (TABLE, "", [[0.9, 0.1], [0.2, 0.8]], ("x", "embarra"), ("a", END), "cuts names"),
    (f"\nSENT 1: ['x']\nPRED 1: a\nPRED SCORE: -0.1\n{TABLE}PRED AVG SCORE: -0.1\n", "x embarrassed",
     [[0.9, 0.1], [0.2, 0.8]], ("x", "embarrassed"), ("a", END), ""),
    ("a b\t0-1 1-0", "", [[0, 1], [1, 0]], ("#1", "#2"), ("a", "b"), "numbered"),
    ('{"translations": ["a b"], "alignments": [[[0, 1], [1, 0]]]}', "", [[0, 1], [1, 0]], ("#1", "#2"), ("a", "b"), ""),
    ("0-0 2-1", "x y z ||| a b c", [[1, 0, 0], [0, 0, 1], [0, 0, 0]], ("x", "y", "z"), ("a", "b", "c"), ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "source", "weights", "words", "target", "note"), ROWS)
def test_each_way_of_writing_is_read(
    text: str, source: str, weights: Any, words: tuple[str, ...], target: tuple[str, ...], note: str
) -> None:
    read_in = one(text, source=source)
    assert np.array_equal(read_in.alignment.weights, np.array(weights, np.float32))
    assert (read_in.alignment.source.words, read_in.alignment.target.words) == (words, target)
    assert note in " ".join(read_in.notes)
    assert bool(read_in.notes) >= bool(note)


@pytest.mark.parametrize("sides", [("the dog", "hm", "the cat"), ("the dog ||| a b", "hm ||| c", "the cat ||| d e")])
@pytest.mark.parametrize("text", ["0-0 1-1\n\n0-0 1-1\n", "0-0 1-1\n \n0-0 1-1"])
def test_an_empty_line_of_links_is_left_out_and_named_and_moves_none(text: str, sides: tuple[str, ...]) -> None:
    found = read("in.links", text.encode(), "", SecondFile(File("s", sides)))
    assert [each.alignment.source.text for each in found.sentences] == ["the dog", "the cat"]
    assert found.left_out == ("in.links, line 2: no links",)
    assert len(read("in.links", text.encode() + b"\n\n", "", SecondFile(File("s", (*sides, "z")))).sentences) == 2


@pytest.mark.parametrize(
    ("text", "sides", "told"),
    [
        ("0-0\n0-0\n0-0", ("x", "y"), "in has 3 lines, s 2; they must correspond"),
        ("0-0\n0-0", ("x", "y", "z"), "in has 2 lines, s 3; they must correspond"),
        ("a ||| 0-0", ("x", "y"), "in has 1 lines, s 2; they must correspond"),
        ("a ||| 0.5,0.5", ("x", "y"), "in has 1 lines, s 2; they must correspond"),
        ("a\t0-0", ("x", "y"), "in has 1 lines, s 2; they must correspond"),
    ],
)
def test_files_of_unequal_length_are_refused_with_both_numbers(text: str, sides: tuple[str, ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read("in", text.encode(), "", SecondFile(File("s", sides)))


GOLD = [  # 1-1 2-3 3-2 of I see you, je te vois; with 0-0 first, in the notation of each format
    ("{}1-1 2-3 3-2", "I see you ||| je te vois", "0-0 "),
    ("je te vois ||| {}1-1 2-3 3-2", "I see you", "0-0 "),
    ("je te vois\t{}1-1 2-3 3-2", "I see you", "0-0 "),
    ('{{"translations": ["je te vois"], "alignments": [[{}[1, 1], [2, 3], [3, 2]]]}}', "I see you", "[0, 0], "),
    ("0 ||| je te vois ||| {}1-1 2-3 3-2 ||| F0= -1 ||| -1", "I see you", "0-0 "),
]


@pytest.mark.parametrize(("text", "source", "zero"), GOLD)
def test_links_of_each_format_count_from_one_if_no_place_is_0(text: str, source: str, zero: str) -> None:
    read_in = one(text.format(""), source=source)
    assert read_in.alignment.weights.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert read_in.notes == (FROM_ONE,)
    assert one(text.format(zero), source=source).alignment.weights.shape == (4, 4)
    assert one(text.format(""), source=source, first=0).alignment.weights.shape == (4, 4)


@pytest.mark.parametrize(
    ("text", "name", "source", "target"),
    [
        ("-0.512000 ||| le chien ||| 0-0 1-1", "hard", "the dog", "le chien"),
        ("-0.5 ||| le chien ||| 0.5,0.5 0.5,0.5", "marian", "the", "le chien"),
        ("le chien ||| 0.9 0.1 ; 0.2 0.8", "marian", "the", "le chien"),
        ("-0.5 ||| le ||| 0.25 0.5 0.25", "marian", "the dog", "le"),
        ("0-0 1-1 ||| -12.5", "pharaoh", "the dog ||| le chien", "le chien"),
        ("-inf ||| le chien ||| 0-0 1-1", "hard", "the dog", "le chien"),
        (".5 ||| le chien ||| 0.5,0.5 0.5,0.5", "marian", "the", "le chien"),
        ("-12.5 ||| 0-0 1-1", "hard", "the dog ||| le chien", "le chien"),
    ],
)
def test_a_number_alone_is_a_score(text: str, name: str, source: str, target: str) -> None:
    found = read("in", text.encode(), "", SecondFile(File("s", (source,))))
    assert found.format == name
    assert found.sentences[0].alignment.source.text.startswith(source.partition(" |||")[0])
    assert found.sentences[0].alignment.target.text == target


@pytest.mark.parametrize("sides", [("0\tthe red car", "1\tI see you"), ("1\tI see you", "0\tthe red car")])
def test_a_number_before_a_tab_and_links_is_the_sentences(sides: tuple[str, ...]) -> None:
    found = read("in.gold", b"0\t0-0 1-1 2-2\n1\t0-0 1-2 2p1\n", "", SecondFile(File("s", sides)))
    assert found.format == "pharaoh"
    assert [each.alignment.source.text for each in found.sentences] == ["the red car", "I see you"]
    assert found.sentences[1].possible == ((2, 1),)
    assert write_pharaoh(found.sentences[1]).endswith(" ||| 0-0 1-2 2p1\n")


FAIRSEQ = """2021-04-20 12:00:00 | INFO | fairseq_cli.generate | loading model(s)
S-0\tthe dog
T-0\tle chien
H-0\t-0.3\tle chien
D-0\t-0.3\tle chien
P-0\t-0.1 -0.2 -0.3
A-0\t0.9,0.05,0.05 0.1,0.8,0.1 0.1,0.1,0.8
Generate test with beam=5: BLEU4 = 30.0
"""


def test_a_log_is_recognised_by_its_lines_wherever_they_are() -> None:
    read_in = one(FAIRSEQ)
    assert (read_in.alignment.source.text, read_in.alignment.target.text) == ("the dog", "le chien")
    assert read_in.alignment.weights.shape == (3, 3)
    assert one("Loading\n[info] x\n" + EXAMPLES[2], "").alignment.target.words[0] == "je"


def test_one_wrong_sentence_is_left_out_and_named() -> None:
    rows = "0.9,0.05,0.05 0.1,0.8,0.1 0.1,0.1,0.8"
    found = read("in.txt", f"le chien dort bien ||| {rows}\nle chat ||| {rows}".encode())
    assert [each.alignment.target.text for each in found.sentences] == ["le chat"]
    assert found.left_out[0].startswith("in.txt, line 1: weights for 3 target tokens, but 4 tokens")
    many = read("in.txt", ("149-149\n" * 200).encode(), "", SecondFile(first=0))
    assert len(many.sentences) == CELLS // 150**2
    assert "pairs of tokens are read, which end here" in many.left_out[0]


def as_nematus(rows: list[list[float]]) -> str:
    return "0 ||| a b ||| 0 ||| x y ||| 0 0\n" + "\n".join(" ".join(map(str, row)) for row in rows) + "\n\n"


def as_json(rows: list[list[float]]) -> str:
    return json.dumps({"source": ["x", "y"], "target": ["a", "b"], "weights": [[rows]]}) + "\n"


def as_marian(rows: list[list[float]]) -> str:
    return "a b ||| " + " ".join(",".join(map(str, row)) for row in rows) + "\n"


def as_fairseq(rows: list[list[float]]) -> str:
    return "S-0\tx y\nH-0\t-1\ta b\nA-0\t" + as_marian(rows).partition("||| ")[2]


def as_table(rows: list[list[float]]) -> str:
    return "            x         y\n" + "\n".join(
        f"         {name}  {'  '.join(map(str, row))}" for name, row in zip("ab", rows, strict=True)
    ) + "\n"  # fmt: skip


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("written", [as_nematus, as_json, as_marian, as_fairseq, as_table])
def test_sums_of_one_decide_what_the_rows_of_square_matrices_are(
    written: Callable[[list[list[float]]], str], turned: bool
) -> None:
    square, even = np.array([[0.9, 0.1], [0.6, 0.4]], np.float32), [[0.5, 0.5]] * 2
    rows = written(np.round((square.T if turned else square).astype(float), 4).tolist())
    first, second = read("in", (written(even) + rows).encode()).sentences
    assert np.array_equal(second.alignment.weights, square)
    assert ["rows belong to the source" in " ".join(each.notes) for each in (first, second)] == [turned, turned]
    if written is as_table and turned:
        assert second.alignment.source.words == ("a", "b")


GIZA = """# Sentence pair (1) source length 3 target length 3 alignment score : 0.01
je te vois
NULL ({ }) I ({ 1 }) see ({ 3 }) you ({ 2 })
# Sentence pair (2) source length 1 target length 2 alignment score : 0.2
le chien
NULL ({ 1 }) dog ({ 2 })
"""


def test_giza_writes_the_places_of_the_target_behind_each_source_word() -> None:
    first, second = read("out.A3.final", GIZA.encode()).sentences
    assert first.alignment.weights.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert (first.alignment.source.text, second.alignment.target.text) == ("I see you", "le chien")
    assert second.alignment.weights.tolist() == [[0], [1]]
    assert "no third line of a sentence pair" in read("out", (GIZA + "# Sentence pair (3)\na\n").encode()).left_out[0]


@pytest.mark.parametrize("numbers", [("1", "2"), ("0001", "0002"), ("0", "1"), ("7", "12")])
def test_gold_links_of_naacl_have_a_line_each(numbers: tuple[str, str]) -> None:
    first, second = numbers
    text = f"{first} 1 1 S\n{first} 2 3\n{first} 3 2 P\n{first} 0 2 S\n{second} 1 1 S 0.5\n"
    numbered = f"<s snum={second}> dog ||| chien </s>\n<s snum={first}> I see you ||| je te vois </s>"
    for sides in ("I see you ||| je te vois\ndog ||| chien", numbered)[first == "7" :]:
        found = read("test.wa", text.encode(), "", SecondFile(File.decode("s", sides.encode())))
        one, other = found.sentences
        assert found.format == "naacl"
        assert one.alignment.weights.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
        assert one.possible == ((2, 1),)
        assert (other.alignment.source.text, other.alignment.weights.tolist()) == ("dog", [[0.5]])


def test_an_array_alone_and_a_zip_of_windows_are_read() -> None:
    file = io.BytesIO()
    np.save(file, np.array([[0.25, 0.5], [0.75, 0.5]]))
    (found,) = read("a.npy", file.getvalue(), "", SecondFile(File("s", ("x y ||| a b",)))).sentences
    assert found.alignment.weights.tolist() == [[0.25, 0.75], [0.5, 0.5]]
    assert "rows belong to the source" in found.notes[0]
    assert "source and the target" in read("a.npy", file.getvalue()).sentences[0].notes[-1]
    text = {"my\\Thumbs.db": b"?", "my\\out.txt": b"a ||| 0.5,0.5", "my\\": b""}
    assert read("my.zip", packed(text, top="")).sentences[0].alignment.target.text == "a"
    with pytest.raises(InputError, match="a zip of 2 files; accepted is one"):
        read("my.zip", packed(text | {"b": b""}, top=""))


WORD = st.text(st.characters(categories=["L"], codec="utf-8"), min_size=1, max_size=6)
PIECES = st.lists(st.tuples(WORD, st.booleans()), min_size=1, max_size=6)  # and whether each goes on in the next
Drawn = tuple[list[tuple[str, bool]], list[tuple[str, bool]], int]


def made(drawn: Drawn) -> Alignment:
    """Sentences of words in pieces, with `</s>`, and weights of a softmax."""
    *sides, seed = drawn
    source, target = (
        sentence((*(f"{text}@@" if goes_on else text for text, goes_on in pieces[:-1]), pieces[-1][0], END))
        for pieces in sides
    )
    scores = 3 * np.random.default_rng(seed).standard_normal((len(target.tokens), len(source.tokens)))
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    return Alignment(source, target, weights.astype(np.float32))


@settings(max_examples=40)
@given(drawn=st.tuples(PIECES, PIECES, st.integers(0, 2**32 - 1)))
def test_what_is_written_comes_back(drawn: Drawn) -> None:
    foreign = ForeignSentence(made(drawn), 1)
    for name, known in WRITTEN.items():
        written = known.write(foreign)
        content = written if isinstance(written, bytes) else written.encode()
        (found,) = read("written", content, "", SecondFile(first=0)).sentences  # perhaps no link has a 0
        if isinstance(written, str) and name == "pharaoh":
            assert joined(found.alignment.target) == joined(foreign.alignment.target)
            assert known.write(found) == written
        else:
            assert np.array_equal(found.alignment.weights, foreign.alignment.weights)
            assert found.alignment.target == foreign.alignment.target


def test_links_are_those_of_the_file_and_of_weights_the_heaviest_and_are_not_written_as_weights() -> None:
    source, target = sentence(("x", "y")), sentence(("a", "b"))
    weights = ForeignSentence(Alignment(source, target, np.array([[0.25, 0.75], [1, 0]], np.float32)), 1)
    both = ForeignSentence(Alignment(source, target, np.array([[1, 1], [0, 0]], np.float32)), 1, links=True)
    assert (links_of(weights), writable(weights)) == ([(0, 1), (1, 0)], [*WRITTEN])
    assert (links_of(both), writable(both)) == ([(0, 0), (1, 0)], ["pharaoh"])


def test_what_could_be_taken_for_a_mark_of_the_file_is_written_otherwise() -> None:
    source = sentence(("|||", "b"))
    written = write_pharaoh(ForeignSentence(Alignment(source, source, np.eye(2, dtype=np.float32)), 1))
    assert written == "&#124;&#124;&#124; b ||| &#124;&#124;&#124; b ||| 0-0 1-1\n"
    assert read("written", written.encode()).format == "pharaoh"


@pytest.mark.parametrize("pack", [gzip.compress, lambda text: text.decode().encode("utf-16")], ids=["gzip", "UTF-16"])
def test_a_file_may_be_packed_or_in_utf_16(pack: Callable[[bytes], bytes]) -> None:
    assert read("in", pack("été ||| 0.5,0.5\n".encode())).sentences[0].alignment.target.text == "été"
    with pytest.raises(InputError, match="not a complete gzip file"):
        read("in", gzip.compress(b"a ||| 0.5,0.5")[:-4])


def test_the_library_reads_what_the_screen_reads_and_what_traces_save(tmp_path: Path, shipped: Pretrained) -> None:
    (tmp_path / "links").write_text("0-0 1-1\n\n0-0")
    (tmp_path / "sides").write_text("the dog ||| le chien\nhm ||| eh\nno ||| non")
    with pytest.warns(regard.InputWarning, match=r"links, line 2: no links"):
        first, second = regard.read(tmp_path / "links", tmp_path / "sides")
    assert (first.alignment.target.text, second.alignment.source.text) == ("le chien", "no")
    for ending in ("json", "npz"):
        first.save(tmp_path / f"a.{ending}")
        (again,) = regard.read(str(tmp_path / f"a.{ending}"))
        assert again.alignment.target == first.alignment.target
        for model in (shipped, regard.load("reverse-transformer")):
            trace = regard.translate(model, "1 2")
            trace.save(tmp_path / f"t.{ending}")
            (again,) = regard.read(tmp_path / f"t.{ending}")
            assert isinstance(again, type(trace))
            assert np.array_equal(again.weights, trace.weights)
            found = read("t", (tmp_path / f"t.{ending}").read_bytes())  # as the screen does
            assert found.format == "trace"
            assert isinstance(found.sentences[0].trace, type(trace))
    (tmp_path / "gold").write_text("1-1 2p2")
    with pytest.warns(regard.InputWarning) as warned:
        regard.read(tmp_path / "gold")
    for told in ("counted from 1", "only possible", "are numbered"):
        assert any(told in str(each.message) for each in warned)
    with pytest.raises(InputError, match="none: No such file"):
        regard.read(tmp_path / "none")
