import pytest

from regard.model.evaluation.function_words import FUNCTION_WORDS, KINDS, kind
from regard.model.words import words


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Le garçon qui porte un T-shirt bleu joue.", "f c f c f c c c p"),
        ("J'aime l'histoire d'aujourd'hui !", "f c f c f c p"),
        ("Ne les as-tu pas vus ? Y a-t-il", "f f f f f c p f f f"),
        ("« Quelqu'un est 3 fois À la gare »", "p f f c c f f c p"),
    ],
)
def test_words_of_a_french_sentence_have_their_kind(text: str, kinds: str) -> None:
    found = [kind(text[word.start : word.stop], "fr") for word in words(text, "fr")]
    assert [name[0] for name in found] == kinds.split()


def test_a_language_without_a_list_has_words_and_punctuation() -> None:
    assert [kind(word, "de") for word in ("der", "Hund", ".")] == ["word", "word", "punctuation"]


def test_every_function_word_is_one_word_as_texts_are_divided() -> None:
    for word in FUNCTION_WORDS["fr"]:
        follower = "a" if word.endswith("'") else ""
        assert next(text.stop for text in words(word + follower, "fr")) == len(word), word
        assert kind(word, "fr") == "function"
    assert {kind(word, language) for word in ("le", "chat", ".") for language in ("fr", "xx")} == {*KINDS}
