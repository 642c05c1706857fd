import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.alignment import Alignment
from regard.model.soft_alignments.formats import FORMATS, read, recognise, writable
from regard.model.soft_alignments.pharaoh import links_of
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import File
from regard.model.soft_alignments.tokens import joined, sentence
from regard.model.words import END
from tests.support.made_traces import SOURCE, TARGET, made_of

DIGITS = {"marian": 5e-6, "opennmt": 1e-7, "sockeye": 1e-6, "nematus": 0.0}  # that a weight may be off, for rounding
WORD = st.text(st.characters(categories=["L", "N"], codec="utf-8"), min_size=1, max_size=6).filter(
    lambda word: word not in ("", END)
)


PIECES = st.lists(st.tuples(WORD, st.booleans()), min_size=1, max_size=6)  # and whether each goes on in the next
DRAWN = st.tuples(PIECES, PIECES, st.integers(0, 2**32 - 1))
Drawn = tuple[list[tuple[str, bool]], list[tuple[str, bool]], int]
SOME = settings(max_examples=40)


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


def back(name: str, written: str, alignment: Alignment) -> ForeignSentence:
    sources = File("source", (" ".join(joined(alignment.source)),)) if FORMATS[name].needs_source else File("none")
    found = read("written", written.encode(), name, GivenBeside(sources))
    assert len(found.sentences) == 1
    return found.sentences[0]


@pytest.mark.parametrize("name", DIGITS)
@SOME
@given(drawn=DRAWN)
def test_weights_come_back_to_within_the_digits_that_are_written(name: str, drawn: Drawn) -> None:
    alignment = made(drawn)
    written = FORMATS[name].write([ForeignSentence(alignment, 1)])
    found = back(name, written, alignment)
    assert np.abs(found.alignment.weights - alignment.weights).max() <= DIGITS[name]
    if name != "opennmt":  # which cuts names
        assert found.alignment.target == alignment.target
        assert found.alignment.source == alignment.source
    assert FORMATS[name].write([found]) == written


@pytest.mark.parametrize("name", [name for name, known in FORMATS.items() if known.holds == "links"])
@SOME
@given(drawn=DRAWN)
def test_links_come_back_as_they_were_written(name: str, drawn: Drawn) -> None:
    alignment = made(drawn)
    written = FORMATS[name].write([ForeignSentence(alignment, 1)])
    found = back(name, written, alignment)
    assert found.links
    assert joined(found.alignment.target) == joined(alignment.target)
    assert joined(found.alignment.source) == joined(alignment.source)
    assert FORMATS[name].write([found]) == written


@SOME
@given(drawn=DRAWN)
def test_what_is_written_is_recognised(drawn: Drawn) -> None:
    alignment = made(drawn)
    for name, known in FORMATS.items():
        if known.holds != "trace":
            written = known.write([ForeignSentence(alignment, 1)])
            if name != "sockeye_links" or "-" in written.partition("\t")[2]:  # nothing above the threshold: no link
                assert recognise(File.decode("written", written.encode())) == name


def test_a_trace_comes_back_bit_for_bit() -> None:
    trace = made_of(SOURCE, TARGET)
    found = read("trace.jsonl", FORMATS["trace"].write([ForeignSentence(trace.alignment, 1, trace=trace)]).encode())
    assert found.sentences[0].alignment.source == trace.alignment.source
    assert np.array_equal(found.sentences[0].alignment.weights, trace.weights)


def test_links_are_those_of_the_file_and_of_weights_the_heaviest() -> None:
    source, target = sentence(("x", "y")), sentence(("a", "b"))
    weights = np.array([[0.25, 0.75], [1, 0]], np.float32)
    both = np.array([[1, 1], [0, 0]], np.float32)
    assert links_of(ForeignSentence(Alignment(source, target, weights), 1)) == [(0, 1), (1, 0)]
    assert links_of(ForeignSentence(Alignment(source, target, both), 1, links=True)) == [(0, 0), (1, 0)]


def test_links_are_not_offered_as_weights_nor_weights_as_a_trace() -> None:
    alignment = Alignment(sentence(("x",)), sentence(("a",)), np.ones((1, 1), np.float32))
    trace = made_of(SOURCE, TARGET)
    assert {FORMATS[name].holds for name in writable(ForeignSentence(alignment, 1, links=True))} == {"links"}
    assert {FORMATS[name].holds for name in writable(ForeignSentence(alignment, 1))} == {"links", "weights"}
    assert writable(ForeignSentence(trace.alignment, 1, trace=trace)) == list(FORMATS)


def test_what_could_be_taken_for_a_mark_of_the_file_is_written_otherwise() -> None:
    source = sentence(("|||", "b"))
    written = FORMATS["nematus"].write([ForeignSentence(Alignment(source, source, np.eye(2, dtype=np.float32)), 1)])
    assert written.startswith("0 ||| &#124;&#124;&#124; b ||| 0 ||| &#124;&#124;&#124; b ||| 2 2\n")
    assert read("written", written.encode()).format == "nematus"
