import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from regard.model.tokenizer import CONTROL, Tokenizer, plain_tokenizer, train_tokenizer
from regard.model.words import WORD_RULES, normalise

ENGLISH = ["I love you.", "I don't love the cat.", "The cat sat on the mat.", "You love the cat, don't you?"] * 3
FRENCH = ["Je t'aime.", "Je n'aime pas le chat.", "Le chat est sur le tapis.", "Tu aimes le chat, n'est-ce pas ?"] * 3
SIDES = [("en", ENGLISH), ("fr", FRENCH)]
TOKENIZER = train_tokenizer(SIDES, ("en", "fr"), 360)
ANY_TEXT = st.text(st.characters())
LANGUAGES = st.sampled_from([*WORD_RULES, "de"])
CONTROL_IDS = set(range(len(CONTROL)))


@given(ANY_TEXT, LANGUAGES)
@example("</s> 👩‍👩‍👧 \ud83d 日本語 e\u0301\u0301 שלום <0x41> ▁ \x00", "fr")
def test_decoding_gives_back_the_normal_form_of_any_text(text: str, language: str) -> None:
    assert TOKENIZER.decode(TOKENIZER.encode(text, language).ids) == normalise(text, language)


@given(ANY_TEXT, LANGUAGES)
@example("</s><s><pad>", "en")
def test_nothing_that_is_typed_becomes_a_control_token(text: str, language: str) -> None:
    assert not CONTROL_IDS & set(TOKENIZER.encode(text, language).ids)


@pytest.mark.parametrize("typed", ["</s>", "<0x41>", "<pad>"])
def test_not_even_a_vocabulary_learned_from_control_tokens_makes_them(typed: str) -> None:
    learned = train_tokenizer([("plain", [f"x{typed} y{typed} z{typed}"] * 30)], ("plain", "plain"), 300)
    encoding = learned.encode(f"{typed} a{typed}", "plain")
    assert not CONTROL_IDS & set(encoding.ids)
    assert learned.decode(encoding.ids) == f"{typed} a{typed}"


@given(ANY_TEXT, LANGUAGES)
def test_every_word_has_tokens_and_every_token_lies_in_its_word(text: str, language: str) -> None:
    encoding = TOKENIZER.encode(text, language)
    assert sorted(set(encoding.word_of)) == list(range(len(encoding.words)))
    for index, span in zip(encoding.word_of, encoding.characters, strict=True):
        assert encoding.words[index].start <= span.start <= span.stop <= encoding.words[index].stop


@given(ANY_TEXT, LANGUAGES)
@example("日本 e\u0301\u0301", "en")
def test_reading_tokens_back_agrees_with_encoding_them(text: str, language: str) -> None:
    encoding = TOKENIZER.encode(text, language)
    assert TOKENIZER.read(encoding.ids, language) == encoding


@given(st.lists(st.integers(0, len(TOKENIZER) - 1)), LANGUAGES)
@example([0, 1, 2, 3, 4, 258, 259], "en")
def test_any_tokens_can_be_read_and_their_words_divide_them(ids: list[int], language: str) -> None:
    encoding = TOKENIZER.read(ids, language)
    assert encoding.ids == tuple(index for index in ids if index not in CONTROL_IDS)
    assert len(encoding.word_of) == len(encoding.characters) == len(encoding.ids)
    assert list(encoding.word_of) == sorted(encoding.word_of)
    assert set(encoding.word_of) == set(range(len(encoding.words)))
    assert all(0 <= span.start <= span.stop <= len(encoding.text) for span in encoding.characters + encoding.words)


def test_a_saved_tokenizer_is_the_same_when_loaded(tmp_path: Path) -> None:
    TOKENIZER.save(tmp_path / "tokenizer.json")
    loaded = Tokenizer.load(tmp_path / "tokenizer.json", ("en", "fr"))
    assert len(loaded) == len(TOKENIZER)
    for text in [*ENGLISH, "</s> €", "Krzysztof 日本"]:
        assert loaded.encode(text, "en") == TOKENIZER.encode(text, "en")


SAVED = json.loads(TOKENIZER.to_json())
PARTS = ({"type": "Nonsense"}, {"type": "WordPiece"}, {"merges": "nonsense"}, {"merges": [["not", "there"]]},
         {"byte_fallback": False})  # fmt: skip
WRONG = [json.dumps({**SAVED, "model": {**SAVED["model"], **part}}).encode() for part in PARTS]
VOCABULARIES = ("[1]", '{"a": 0}', '{"a": "x", "b": 2}')
WRONG += [b'{"model": {"vocab": %b}}' % vocabulary.encode() for vocabulary in VOCABULARIES]


@pytest.mark.parametrize("content", [*WRONG, b"", b"not JSON", b"\xff\xfe\x00", b"[]", b"{}", b'{"model": {}}'])
def test_a_file_that_is_no_tokenizer_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"broken\.json"):
        Tokenizer.load(tmp_path / "broken.json", ("en", "fr"))


def test_a_file_cannot_ask_for_special_tokens_or_another_normal_form(tmp_path: Path) -> None:
    TOKENIZER.save(tmp_path / "tokenizer.json")
    parsed = json.loads((tmp_path / "tokenizer.json").read_text())
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    parsed["added_tokens"] = [{"id": 2, "content": "</s>", **flags}]
    parsed["normalizer"] = {"type": "Lowercase"}
    parsed["truncation"] = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    (tmp_path / "tokenizer.json").write_text(json.dumps(parsed))
    loaded = Tokenizer.load(tmp_path / "tokenizer.json", ("en", "fr"))
    assert loaded.encode("I love </s> You", "en") == TOKENIZER.encode("I love </s> You", "en")


def test_in_a_plain_vocabulary_each_digit_is_one_word_and_one_token() -> None:
    digits = plain_tokenizer([str(digit) for digit in range(10)])
    encoding = digits.encode("2 5 9", "plain")
    assert [digits.token(index) for index in encoding.ids] == [" 2", " 5", " 9"]
    assert encoding.word_of == (0, 1, 2)
    assert digits.languages == ("plain", "plain")
