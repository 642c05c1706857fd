"""Alignment error on paper, gold files read and refused, words written together, attention moved to given words.

The excerpts are from ALIBI (CC BY-SA 4.0; Xu and Yvon 2016): "Le maître Chat ou le Chat Botté", lines 2 and 3.
"""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.alignment import Alignment
from regard.model.checkpoint import Pretrained
from regard.model.tokenizer import Tokenizer
from regard.model.tracing import sentence
from regard.model.translate import force
from regard.model.word_alignment import alignment_error_rate
from regard.model.word_alignment.alignment_error_rate import (
    Agreement,
    Marks,
    agreement,
    diagonal,
    read_marks,
    read_story,
)
from regard.model.word_alignment.detokenize import JOINING, between, join, links
from regard.model.words import END, normalise

FRENCH = (
    "Les partages furent bientôt faits ; ni le notaire , ni le procureur n’ y furent point appelés .",
    "Ils auraient eu bientôt mangé tout le pauvre patrimoine .",
)
ENGLISH = (
    "The division was soon made . Neither the lawyer nor the attorney was sent for .",
    "They would soon have eaten up all the poor property .",
)
LINKS = (
    "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8 10-9 11-10 12-11 15-12 17p13 17p14 18-15",
    "0-0 1-1 2-3 3-2 4p4 4p5 5-6 6-7 7-8 8-9 9-10",
)


def story(folder: Path, french: tuple[str, ...] = FRENCH, links: tuple[str, ...] = LINKS) -> Path:
    for name, lines in (("Un_sents", french), ("One_sents", ENGLISH), ("ali_w2w_Un_One", links)):
        text = "".join(f"{number}\t{line} \n" for number, line in enumerate(lines))
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_alignment_error_of_the_textbook_case_is_two_thirds() -> None:
    gold = [(0, 0), (1, 1), (2, 2)]
    found = agreement([(0, 0), (1, 2), (2, 1)], gold, gold)
    assert found == Agreement(proposed=3, sure=3, proposed_and_sure=1, proposed_and_possible=1)
    assert found.error_rate == pytest.approx(2 / 3)
    assert found.precision == found.recall == pytest.approx(1 / 3)


def test_alignment_error_counts_sure_links_as_possible_and_forgives_possible_ones() -> None:
    sure, possible = [(0, 0), (1, 1)], [(2, 1), (2, 2)]
    assert agreement(sure, sure, possible).error_rate == 0
    assert agreement([*sure, (2, 2)], sure, possible).error_rate == 0
    mixed = agreement([(0, 0), (2, 2), (3, 3)], sure, possible)  # 1 of 2 sure, 2 of 3 possible: 1 - (1 + 2) / (3 + 2)
    assert (mixed.precision, mixed.recall) == (pytest.approx(2 / 3), 0.5)
    assert mixed.error_rate == pytest.approx(0.4)


def test_a_diagonal_links_words_at_the_same_relative_place() -> None:
    assert diagonal(3, 3) == [(0, 0), (1, 1), (2, 2)]
    assert diagonal(5, 3) == [(0, 0), (2, 1), (4, 2)]
    assert diagonal(2, 4) == [(0, 0), (0, 1), (1, 2), (1, 3)]
    assert diagonal(4, 1) == [(0, 0)]
    assert diagonal(1, 2) == [(0, 0), (0, 1)]


def test_a_story_is_read_with_the_source_first(tmp_path: Path) -> None:
    pairs = read_story(story(tmp_path), ("en", "fr"))
    assert [pair.counts for pair in pairs] == [True] * 2
    assert (pairs[1].source, pairs[1].target) == (ENGLISH[1], FRENCH[1])
    assert (3, 2) in pairs[1].sure
    assert (2, 3) in pairs[1].sure
    assert pairs[1].possible - pairs[1].sure == {(4, 4), (5, 4)}
    assert pairs[0].sure <= pairs[0].possible
    backwards = read_story(tmp_path, ("fr", "en"))[0]
    assert backwards.source == FRENCH[0]
    assert backwards.possible == {(j, i) for i, j in pairs[0].possible}


@pytest.mark.parametrize(
    ("links", "told"),
    [
        ((LINKS[0], "0-0 10-1"), r"ali_w2w_Un_One.txt, line 2: the link 10-1 is outside"),
        (("0-0 0-16", LINKS[1]), r"ali_w2w_Un_One.txt, line 1: the link 0-16 is outside"),
        (("0-0 1~1", LINKS[1]), r"ali_w2w_Un_One.txt, line 1: '1~1' is not a link"),
        ((*LINKS, "0-0"), r"Un_sents.txt: no line has the number 2, which .*ali_w2w_Un_One.txt, line 3 has"),
        (LINKS[:1], r"ali_w2w_Un_One.txt: no line has the number 1, which .*Un_sents.txt, line 2 has"),
    ],
)
def test_a_wrong_link_is_refused_with_its_file_and_line(tmp_path: Path, links: tuple[str, ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_story(story(tmp_path, links=links), ("en", "fr"))


def test_a_folder_that_is_no_story_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"{tmp_path}: 0 files"):
        read_story(tmp_path, ("en", "fr"))
    with pytest.raises(ValueError, match="French-English, the model's languages are en and de"):
        read_story(story(tmp_path), ("en", "de"))
    (tmp_path / "One_sents.txt").write_text("0\tOne .\nTwo .\n")
    with pytest.raises(ValueError, match=r"One_sents.txt, line 2: it does not begin with a number"):
        read_story(tmp_path, ("en", "fr"))


@pytest.mark.parametrize(
    ("language", "given", "text"),
    [
        ("fr", "L’ aîné eut le moulin , le second eut l’ âne .", "L'aîné eut le moulin, le second eut l'âne."),
        ("fr", "Ne vois -tu rien venir ? Qu' y a -t -il ; là !", "Ne vois-tu rien venir ? Qu'y a-t-il ; là !"),
        ("fr", "« Mes frères » ( disait -il ) : aujourd 'hui …", "« Mes frères » (disait-il) : aujourd'hui…"),
        ("fr", 'Il dit " oui " à M. Hamel , puis " non " .', 'Il dit "oui" à M. Hamel, puis "non".'),
        ("en", "Do n't ! The Cat 's master , you 'll see ; Don 't ?", "Don't! The Cat's master, you'll see; Don't?"),
        ("en", 'birds \' eggs ( " Oh " , said he )', 'birds\' eggs ("Oh", said he)'),
        ("de", "Ja , ( nein ) !", "Ja, (nein)!"),
    ],
)
def test_words_given_apart_are_written_as_text_has_them(language: str, given: str, text: str) -> None:
    joined = join(given, language)
    assert joined.text == text
    assert joined.words == tuple(given.split())
    assert [text[span.start : span.stop] for span in joined.spans] == [normalise(word) for word in given.split()]


@given(
    line=st.text(alphabet=st.characters() | st.sampled_from(" \t.,'’\"-(«»!\u0301\u200b\u202f")),
    language=st.sampled_from([*JOINING]),
)
def test_joined_text_is_in_normal_form_and_its_words_cover_it(line: str, language: str) -> None:
    joined = join(line, language)
    assert joined.text == normalise(joined.text)
    assert len(joined.words) == len(joined.spans)
    covered = "".join(joined.text[span.start : span.stop] for span in joined.spans)
    assert covered.replace(" ", "") == joined.text.replace(" ", "")


def test_weights_between_given_words_are_those_between_words_where_the_words_are_the_same(
    tiny_model: Pretrained,
) -> None:
    source, target = join("The cat sat on the mat .", "en"), join("Le chat était assis sur le tapis .", "fr")
    found = force(tiny_model, [(source.text, target.text)])[0].alignment
    for rows in ("output", "input"):
        given, own = between(found, source, target, rows), found.by_words(rows)
        skipped = int(rows == "input")  # by_words has a row for <s> there, and one for the target's </s> otherwise
        np.testing.assert_allclose(given, own.weights[skipped : skipped + len(target.words)], atol=1e-6)
        assert own.rows[skipped : skipped + len(target.words)] == target.words
        assert own.columns == (*source.words, END)
        assert links(given) == list(found.links(rows))


def test_a_token_in_two_given_words_counts_in_each_by_its_characters(tokenizer: Tokenizer) -> None:
    source, target = join("Don 't", "en"), join("Je n' aime", "fr")
    whole, written = tokenizer.encode(source.text, "en"), tokenizer.encode(target.text, "fr")
    sides = sentence(tokenizer, whole, "en", ended=True), sentence(tokenizer, written, "fr", ended=True)
    weights = np.zeros((len(written.ids) + 1, len(whole.ids) + 1), dtype=np.float32)
    weights[:, [span.start for span in whole.characters].index(whole.words[1].start)] = 1  # all on what begins with n't
    found = between(Alignment(*sides, weights), source, target)
    token = next(span for span in whole.characters if span.start == whole.words[1].start)
    in_don = (3 - token.start) / (token.stop - token.start)
    np.testing.assert_allclose(found, [[in_don, 1 - in_don, 0]] * 3)


LINK_SETS = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


def test_the_notation_tells_sure_from_possible_with_the_source_first() -> None:
    marks = read_marks(" 1-2  2p1\t0-0 1p2 ", 4, 4)
    assert marks == Marks(sure=frozenset({(1, 2), (0, 0)}), possible=frozenset({(2, 1)}))
    assert marks.written() == "0-0 1-2 2p1"
    assert len(marks) == 3


@given(sure=LINK_SETS, possible=LINK_SETS)
def test_marks_written_and_read_again_are_the_same(sure: frozenset, possible: frozenset) -> None:
    marks = Marks(sure, possible - sure)
    assert read_marks(marks.written(), 6, 6) == marks


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0-0 hello", "'hello' is not a link; write links as 0-0 .sure. or 1p2 .possible."),
        ("0--1", "'0--1' is not a link"),
        ("٣-1", "'٣-1' is not a link"),
        ("1-" + "9" * 5000, "'1-999999999999999999' is not a link"),
        ("4-0", "the link 4-0 is outside sentences of 4 and 4 words"),
        ("0p4", "the link 0p4 is outside sentences of 4 and 4 words"),
    ],
)
def test_what_is_no_link_between_the_words_is_refused_with_what_would_be_right(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_marks(text, 4, 4)


@pytest.mark.parametrize("languages", [("en", "fr"), ("fr", "en")])
def test_the_kept_folder_is_a_story_with_the_same_links(tmp_path: Path, languages: tuple[str, str]) -> None:
    words = {"en": ("I", "love", "you", "."), "fr": ("Je", "t'", "aime", ".")}
    sides = words[languages[0]], words[languages[1]]
    marks = read_marks("0-0 1-2 2p1", 4, 4)
    packed = zipfile.ZipFile(io.BytesIO(alignment_error_rate.story(marks, *sides, languages)))
    packed.extractall(tmp_path)
    pair = read_story(tmp_path / "my-links", languages)[0]
    assert (pair.source, pair.target) == (" ".join(sides[0]), " ".join(sides[1]))
    assert (pair.sure, pair.possible - pair.sure) == (marks.sure, marks.possible)
