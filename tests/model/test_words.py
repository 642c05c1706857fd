import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from regard.model.words import WORD_RULES, normalise, visible_note, words
from tests.support.soon import soon

ANY_TEXT = st.text(st.characters())  # every code point, lone surrogates and control characters included
LANGUAGES = st.sampled_from([*WORD_RULES, "de", ""])


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("fr", "je t'|aime"),
        ("fr", "J'|ai l'|eau d'|ici"),
        ("fr", "qu'|elle lorsqu'|il jusqu'|à"),
        ("fr", "C'|EST"),
        ("fr", "d'|l'|eau"),
        ("fr", "le '|c|' dur"),
        ("fr", "as|-tu"),
        ("fr", "parle|-t-elle ?"),
        ("fr", "donnez|-le|-moi"),
        ("fr", "celui|-ci"),
        ("fr", "Qu'|est|-ce que"),
        ("en", "I do|n't"),
        ("en", "ca|n't wo|n't"),
        ("en", "I|'m you|'re we|'ve"),
        ("en", "it|'s she|'ll he|'d"),
        ("en", "I|'d|'ve"),
        ("en", "DO|N'T"),
        ("en", "John|'s dogs|' tails"),
    ],
)
@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_words_split_at_french_elisions_and_inversions_and_at_english_contractions(
    language: str, parts: str, apostrophe: str
) -> None:
    text = normalise(parts.replace("|", "").replace("'", apostrophe))
    assert [text[word.start : word.stop] for word in words(text, language)] == parts.replace("|", " ").split()


@given(ANY_TEXT, LANGUAGES)
@example("\u200f\u05e9\u05c1\u05dc \U0001f469\u200d\U0001f467 e\u0301\u0301 \u202f! \x00\x85", "fr")
def test_every_character_that_is_no_blank_is_in_exactly_one_word(text: str, language: str) -> None:
    text = normalise(text)
    spans = words(text, language)
    covered = [position for span in spans for position in range(span.start, span.stop)]
    assert covered == [position for position, character in enumerate(text) if character != " "]
    assert all(span.start < span.stop for span in spans)


@given(ANY_TEXT)
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(ANY_TEXT)
def test_a_normal_form_is_utf_8_with_single_plain_blanks_inside(text: str) -> None:
    form = normalise(text)
    form.encode("utf-8")
    assert form.split() == [part for part in form.split(" ") if part]
    assert "  " not in form
    assert form == form.strip()


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("  Ça\u00a0va\u202f?\r\n", "Ça va ?"),
        ("e\u0301te\u0301", "été"),
        ("l’eau, l‘eau", "l'eau, l'eau"),
        ("He said ‘no’.", "He said 'no'."),
        ("a\x00\x1b\tb\u200b\ufeff", "a b"),
        ("\ud83d!", "\ufffd!"),
        (" \t\n", ""),
    ],
)
def test_the_normal_form_by_hand(typed: str, form: str) -> None:
    assert normalise(typed) == form


@pytest.mark.parametrize(
    ("typed", "plain", "note"),
    [
        ("inter\u00adna\u00adtion\u00adal", "international", "3 soft hyphens left out"),
        ("I \u200elove\u200f \u202ayou\u202c.\u2066\u2069\u061c", "I love you.", "7 direction marks left out"),
        ("I love you \u2764\ufe0f.", "I love you \u2764.", "1 variation selector left out"),
        ("co\u200dope\u200cra\u2060te\ufeff", "cooperate", "4 joiners left out"),
        ("a\u3164b\uffa0\u115f\u1160", "ab", "4 fillers left out"),
        ("a\U000e0067\U000e007f flag", "a flag", "2 tags left out"),
        ("a\u2063b\ufffb", "ab", "2 format characters left out"),
        (
            "The ﬁrst oﬃce, ＡＢＣ１２３！",
            "The first office, ABC123!",
            "ligatures or full-width letters written as plain ones",
        ),
        ("Ⅻ 𝐛𝐨𝐥𝐝 ｶﾞ", "XII bold ガ", "ligatures or full-width letters written as plain ones"),
        ("½ m² … № 1 ™ café ‘x’", "½ m² … № 1 ™ café 'x'", ""),
    ],
)
def test_what_nobody_sees_is_left_out_and_other_forms_of_letters_are_plain(typed: str, plain: str, note: str) -> None:
    assert normalise(typed) == plain
    assert visible_note(typed) == note


@pytest.mark.parametrize(
    ("text", "language", "form"),
    [
        ("你好！（ＡＢＣ）", "zh", "你好！（ＡＢＣ）"),
        ("！", "ja", "！"),
        ("ｶﾞ ﬁ", "ja", "ｶﾞ fi"),
        ("ＡＢＣ１２３！", "en", "ABC123!"),
        ("你好！", "en", "你好!"),
        ("２ ５", "plain", "2 5"),
        ("こんにちは！", "", "こんにちは！"),
        ("ＡＢＣ！", "", "ABC!"),
    ],
)
def test_width_is_kept_where_it_is_ordinary(text: str, language: str, form: str) -> None:
    assert normalise(text, language) == form
    assert normalise(form, language) == form
    assert bool(visible_note(text, language)) == (form != text)


@given(st.text(st.sampled_from("aé\u0301\u0323\u0344\u0f73\u05b0\u0345中가\u1100\u1161\u11a8"), max_size=200))
def test_many_marks_on_a_letter_are_in_the_normal_form_of_unicode(text: str) -> None:
    assert normalise(text) == unicodedata.normalize("NFC", text)


def test_a_letter_with_150000_marks_is_normalised_in_linear_time() -> None:
    with soon():
        assert normalise("a" + "\u0301\u0323" * 75_000) == "ạ" + "\u0323" * 74_999 + "\u0301" * 75_000
