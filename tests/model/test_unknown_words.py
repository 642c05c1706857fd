"""Unknown words: which words are replaced by which, on a table of weights that can be checked by eye."""

import json

import numpy as np
import pytest

import regard
from regard.model.alignment import Alignment, Sentence
from regard.model.archive import from_json
from regard.model.unknown_words import carried_over, with_carried
from regard.model.words import Span

BYTES = {character: tuple(f"<0x{byte:02X}>" for byte in character.encode()) for character in "🐱猫Łż"}


def side(*words: str) -> Sentence:
    """Return a sentence of words separated by blanks; those in `BYTES` are spelled in bytes."""
    text, tokens, word_of, characters = "", [], [], []
    for place, word in enumerate(words):
        begin = len(text) + bool(place)
        text = f"{text} {word}" if place else word
        spelled = BYTES.get(word, (f" {word}",))
        tokens += spelled
        word_of += [place] * len(spelled)
        characters += [Span(begin, len(text))] * len(spelled)
    return Sentence(text, "xx", tuple(tokens), words, tuple(word_of), tuple(characters))


def aligned(source: str, target: str, looks_at: list[float]) -> Alignment:
    """Return an alignment in which each target word looks at one source word; 1.3 is 1, and 2 by .3 as much."""
    read, written = side(*source.split()), side(*target.split())
    weights = np.full((len(written.tokens), len(read.tokens)), 0.01, np.float32)
    for row, word in enumerate(written.word_of):
        at, more = divmod(looks_at[word], 1)
        weights[row, [place for place, owner in enumerate(read.word_of) if owner == at]] = 1
        weights[row, [place for place, owner in enumerate(read.word_of) if owner == at + 1]] += more
    return Alignment(read, written, weights / weights.sum(1, keepdims=True))


CASES: list[tuple[str, str, list[float], str]] = [
    ("I love 🐱", "j'adore Z", [1, 2], "j'adore 🐱"),
    ("I love 🐱 !", "j'adore Z x !", [1, 2, 2, 3], "j'adore 🐱 !"),
    ("I love 🐱", "j'adore Z x .", [1, 2, 2, 2], "j'adore 🐱 ."),  # the mark that ends the sentence stays
    ("🐱 or 猫", "Z ou x", [0, 1, 2], "🐱 ou 猫"),
    ("🐱 or 猫", "Z x", [2, 0], "猫 🐱"),
    ("a 🐱", "x le chat y y", [1, 0, 0, 1, 1], "x le chat 🐱"),  # once, where the weight is largest in all
    # a neighbour that also looks at its own word
    ("the 🐱 is black", "le Z est noir", [0, 1, 1.9, 3], "le 🐱 est noir"),
    ("the 🐱 is black", "le Z x est noir", [0, 1, 1.9, 2, 3], "le 🐱 est noir"),  # unless another one looks at it most
    ("in Ł", "à Lodz", [0, 1], "à Lodz"),  # a Latin letter that was written as a letter
    ("in Ł", "à L\ufffd", [0, 1], "à Ł"),
    ("a 🐱", "le 🐱", [0, 1], "le 🐱"),
    ("a cat", "le chat", [0, 1], "le chat"),
]


@pytest.mark.parametrize(("source", "target", "looks_at", "text"), CASES)
def test_a_word_in_bytes_replaces_the_words_that_look_most_at_it(
    source: str, target: str, looks_at: list[float], text: str
) -> None:
    alignment = aligned(source, target, looks_at)
    assert with_carried(alignment.target.text, carried_over(alignment)) == text


def test_a_trace_keeps_what_the_decoder_wrote_and_its_json_says_what_was_carried_over() -> None:
    trace = regard.translate(regard.load(), "I love 🐱.")
    assert trace.text == "J'adore 🐱."
    values = json.loads(trace.to_json())
    (one,) = values["carried"]
    begin, end = one["span"]["start"], one["span"]["stop"]
    written = values["text"]["target"]
    assert "\ufffd" in written
    assert values["translation"] == written[:begin] + one["text"] + written[end:] == trace.text
    assert {"<0x9F>", "<0x90>"} <= {*values["target"]}
    assert from_json(trace.to_json()).text == trace.text


def test_without_attention_or_for_a_given_translation_nothing_is_carried_over() -> None:
    blind = regard.translate(regard.load("en-fr-none"), "I love 🐱.")
    assert (blind.carried, blind.carried_note) == ((), "“🐱” cannot be carried over without attention")
    forced = regard.force(regard.load(), "I love 🐱.", "J'aime les chats.")
    assert (forced.text, forced.carried_note) == ("J'aime les chats.", "")
