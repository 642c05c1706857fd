"""Any attention: matrices and heads of any program arrive exactly, and what does not fit is refused."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
import torch
from hypothesis import strategies as st

import regard
from benchmarks.server import ROOT
from regard.model.input_error import InputError
from regard.model.soft_alignments.tokens import BYTE_OF, is_byte_level, marked, sentence, with_marks
from tests.support.exported_page import Parts, told_by_page
from tests.support.made_traces import decoded

SOURCE, TARGET = ["I", "see", "it"], ["je", "vois"]
LONG = "a" * 10_000_000  # as long as a file may be
MATRIX = [[0.7, 0.2, 0.1], [0.25, 0.5, 0.25]]
GENERATOR = np.random.default_rng(1)


def weights(*shape: int) -> np.ndarray:
    drawn = np.exp(GENERATOR.normal(size=shape))
    return (drawn / drawn.sum(-1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    "given",
    [
        MATRIX,
        np.array(MATRIX),
        torch.tensor(MATRIX, requires_grad=True),
        [torch.tensor([[MATRIX]])],
        [[MATRIX]],
        [np.array([row]) for row in MATRIX],
        [torch.tensor([[row]]) for row in MATRIX],
    ],
    ids=["lists", "numpy", "torch", "a tensor a layer", "nested", "a row a step", "a head with a row a step"],
)
def test_a_matrix_arrives_exactly(given: object) -> None:
    shown = regard.show(given, SOURCE, TARGET)
    assert np.array_equal(shown.alignment.weights, np.array(MATRIX, np.float32))
    (drawn,) = Parts(shown.to_html()).data["traces"]
    assert np.array_equal(decoded(drawn["arrays"]["weight"]), np.array(MATRIX, np.float32))
    assert "score" not in drawn["arrays"]
    assert "heads" not in drawn


def test_every_head_of_every_attention_arrives() -> None:
    cross, decoder, encoder = weights(2, 4, 2, 3), np.tril(weights(2, 4, 2, 2)), weights(3, 2, 3, 3)
    shown = regard.show(cross, SOURCE, TARGET, decoder=decoder, encoder=encoder)
    (drawn,) = Parts(shown.to_html()).data["traces"]
    for name, given in {"cross": cross, "decoder": decoder, "encoder": encoder}.items():
        layers = drawn["heads"][name]["layers"]
        arrays = [[decoded(head["weight"]) for head in layer["heads"]] for layer in layers]
        assert np.array_equal(np.array(arrays), given)
        np.testing.assert_allclose(decoded(layers[-1]["mean"]["weight"]), given[-1].mean(0), atol=1e-7)
    asked = {"trace": 0, "kind": "head_weight", "attention": "encoder", "layer": 2, "head": 1, "row": 0, "column": 2}
    (told,) = told_by_page(shown.to_html(), [asked])
    assert float(told["value"]) == pytest.approx(encoder[2, 1, 0, 2])
    assert "computes it" in told["words"]
    np.testing.assert_allclose(shown.weights, cross[-1].mean(0), atol=1e-6)
    with pytest.warns(DeprecationWarning, match="is now heads"):
        assert shown.weights["cross"] is shown.heads["cross"]


def test_what_else_is_known_is_shown() -> None:
    scores = np.log(np.array(MATRIX)) + 3
    likely = [[("je", 0.6), ("tu", 0.3)], [("vois", 0.5), ("vas", 0.25)]]
    shown = regard.show(MATRIX, SOURCE, TARGET, scores=scores, next_tokens=likely)
    (drawn,) = Parts(shown.to_html()).data["traces"]
    np.testing.assert_allclose(decoded(drawn["arrays"]["score"]), scores, rtol=1e-6)
    np.testing.assert_allclose(decoded(drawn["arrays"]["probability"]), [0.6, 0.5])
    np.testing.assert_allclose(decoded(drawn["arrays"]["rest"]), [0.1, 0.25], atol=1e-6)
    assert drawn["top_ids"][0][0] == drawn["target_ids"][0]


COMPLEX = np.array(MATRIX, complex)
BATCH = np.full((2, 2, 4, 2, 3), 0.5)
WRONG = [  # arguments that differ from `MATRIX`, `SOURCE` and `TARGET`, and part of the refusal
    ({"weights": np.array(MATRIX).T}, "transpose it"),
    ({"weights": [[0.5, 0.5]]}, r"shape \(1, 2\).*\(2, 3\)"),
    ({"weights": [[0.5, 0.5, -0.1]] * 2}, "value -0.1"),
    ({"weights": [[0.5, 0.5, float("nan")]] * 2}, "finite"),
    ({"weights": [["a"] * 3] * 2}, "no array"),
    ({"weights": COMPLEX}, "weights is no array of numbers .*complex"),
    ({"weights": torch.tensor(COMPLEX)}, "weights is no array of numbers .*complex"),
    ({"weights": [[10**400] * 3] * 2}, "weights is no array of numbers"),
    ({"weights": np.full((2000, 200, 2, 3), 0.3)}, "2,400,000 weights"),
    ({"weights": BATCH}, r"weights has the shape \(2, 2, 4, 2, 3\), a batch of 2 sentences; pass one"),
    ({"weights": [[BATCH[0][:, :, :1]]] * 2}, "weights has 6 dimensions; steps of layers, as generate returns"),
    ({"target": None}, r"weights has the shape \(2, 3\); the tokens of one sentence ask for \(3, 3\)"),
    ({"target": None, "encoder": np.eye(3)}, "encoder need a target; without one"),
    ({"scores": [[0, 0, 0]] * 2}, "softmax of the scores differs"),
    ({"probabilities": [0.5]}, "2 numbers"),
    ({"next_tokens": [[("tu", 1.0)]] * 2}, "lack some target token"),
    ({"next_tokens": None}, r"next_tokens must be a list of pairs for each step, such as \[\[\('je', 0.7\)"),
    ({"next_tokens": [["a"], ["b"]]}, "next_tokens must be a list of pairs"),
    ({"next_tokens": [[("a", 10**400)]]}, "next_tokens must be a list of pairs"),
    ({"source": None}, r"source must be a list of tokens, such as \['I', 'see'\]"),
    ({"target": {"je", "vois"}}, "target must be a list of tokens"),
    ({"target": ["je", "\ud800"]}, r"target has '\\ud800' with half of a UTF-16 pair"),
    ({"name": 5}, "name must be a string, not of type int"),
    ({"source": ["I", LONG, "it"]}, "source has a text of 10,000,000 characters; up to 200 can be shown"),
    ({"next_tokens": [[(LONG, 0.5)], [("vois", 0.5)]]}, "next_tokens has a text of 10,000,000"),
    ({"name": LONG}, "name has a text of 10,000,000"),
]


@pytest.mark.parametrize(("wrong", "told"), WRONG)
def test_an_argument_that_does_not_fit_is_refused(wrong: dict[str, Any], told: str) -> None:
    """As users call it: in tests, the types in its signature are checked first."""
    with pytest.raises(InputError, match=told):
        inspect.unwrap(regard.show)(**{"weights": MATRIX, "source": SOURCE, "target": TARGET} | wrong)


def test_the_notebook_shows_what_a_model_writes_and_what_it_is_made_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = json.loads((ROOT / "docs" / "hugging-face.ipynb").read_text(encoding="utf-8"))["cells"]
    first, second, third = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    names: dict[str, Any] = {}
    exec(f"{first}\n{second}", names)
    assert names["attention"].alignment.source.text == "She bought a red car ."
    assert {path.name for path in tmp_path.iterdir()} == {"car.html", "car.json"}
    *lines, last = third.splitlines()
    exec("\n".join(lines), names)
    forced = eval(last, names)
    assert forced.alignment.target.text == "Elle a acheté une auto rouge ."
    assert forced.heads["cross"].shape == (2, 4, 8, 7)
    assert "<iframe" in forced._repr_html_()


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (["foot￭", "ball", "￭."], ["football."]),
        (["a", "<EOS>"], ["a", "</s>"]),
        (["<s>", "I", "Ġlov", "ed", "ĠÃ©tÃ©", "</s>"], ["<s>", "I", "loved", "été", "</s>"]),
        (["[CLS]", "play", "##ing", "[SEP]"], ["[CLS]", "playing", "[SEP]"]),
        ([">>fra<<", "▁I", "▁see", "n", "</s>"], [">>fra<<", "I", "seen", "</s>"]),
        (["▁«", "▁", "é", "t", "é", "▁»"], ["«", "été", "»"]),
        (["▁", "▁a", "▁"], ["▁", "a", "▁"]),
        (["Se", "Ã", "¡", "n", "Ġx"], ["Seán", "x"]),
        (["▁", "<0xC3>", "<0xA9>", "t"], ["ét"]),
        (["▁Ġimgħa", "▁il"], ["Ġimgħa", "il"]),
        (["été", "«", "»"], ["été", "«", "»"]),
        (["##", "a"], ["##", "a"]),
        (["▁one", "▁of▁the▁few", "s"], ["one", "of the fews"]),
        (["Ġone", "ĠofĠthe", "s"], ["one", "of thes"]),
    ],
)
def test_marks_of_tokenizers_say_which_tokens_make_a_word(tokens: list[str], words: list[str]) -> None:
    source = regard.show([[1 / len(tokens)] * len(tokens)], tokens, ["x"]).alignment.source
    assert [*source.words] == words
    assert source.text == " ".join(word for word in words if word != "</s>")
    assert len(source.tokens) == len(tokens)
    assert sentence(marked(source)) == source


def test_tokens_that_draw_nothing_are_shown_by_their_names() -> None:
    named = regard.show([[0.25] * 4], ["▁a", "\u200b", "\xad", "\n"], ["x"]).alignment.source
    assert named.tokens == (" a", "<U+200B>", "<U+00AD>", "<U+000A>")
    assert sentence(marked(named)) == named
    assert regard.show([[0.5, 0.5]], ["▁\u3164", "\u2800"], ["x"]).alignment.source.tokens == (" <U+3164>", "<U+2800>")
    assert regard.show([[0.5, 0.5]], ["ĠæĹ", "¥"], ["x"]).alignment.source.tokens == (" 日", "<0xA5>")


BYTE_LEVEL = {byte: character for character, byte in BYTE_OF.items()}
WORDS = st.lists(
    st.text(st.characters(exclude_categories=["Z", "C", "M"], exclude_characters="▁@#￭Ġ<>[]"), min_size=1, max_size=8),
    min_size=1,
    max_size=5,
)


def cut(text: str, cuts: list[int]) -> list[str]:
    """Cut a text into pieces of these lengths, in turn."""
    pieces = list[str]()
    for length in cuts * len(text):
        pieces, text = [*pieces, *[text[:length]] * bool(text)], text[length:]
    return pieces


def byte_level(words: list[str], cuts: list[int]) -> list[str]:
    return [piece for word in words for piece in cut("".join(BYTE_LEVEL[byte] for byte in f" {word}".encode()), cuts)]


def sentence_piece(words: list[str], cuts: list[int]) -> list[str]:
    return [piece for word in words for piece in cut(f"▁{word}", cuts)]


def byte_fallback(words: list[str], cuts: list[int]) -> list[str]:
    pieces = [
        [piece] if len(piece) > 1 or piece == "▁" else [*map("<0x{:02X}>".format, piece.encode())]
        for word in words
        for piece in ("▁", *cut(word, cuts))
    ]
    return [piece for of in pieces for piece in of]


def subword_nmt(words: list[str], cuts: list[int]) -> list[str]:
    return [token for word in words for token in ("@@ ".join(cut(word, cuts))).split(" ")]


def word_piece(words: list[str], cuts: list[int]) -> list[str]:
    return [token for word in [*words, "ab"] for token in " ##".join(cut(word, cuts)).split(" ")]


def joiners(words: list[str], cuts: list[int]) -> list[str]:
    return [token for word in words for token in " ￭".join(cut(word, cuts)).split(" ")]


@pytest.mark.parametrize("written", [byte_level, sentence_piece, byte_fallback, subword_nmt, word_piece, joiners])
@hypothesis.given(words=WORDS, cuts=st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_pieces_of_any_text_cut_anywhere_are_the_text(
    written: Callable[[list[str], list[int]], list[str]], words: list[str], cuts: list[int]
) -> None:
    tokens = tuple(written(words, cuts))
    known = [*words, "ab"] if written is word_piece else words
    hypothesis.assume(written is not word_piece or any(token.startswith("##") for token in tokens))
    hypothesis.assume(written is byte_level or not is_byte_level(tokens))  # Ã© is é in the alphabet of bytes
    made = sentence(with_marks(tokens))
    assert (made.text, list(made.words), len(made.tokens)) == (" ".join(known), known, len(tokens))
    assert [made.text[span.start : span.stop] for span in made.spans] == known
    assert sentence(marked(made)) == made
