"""How much two translations have in common, by hand."""

from collections.abc import Callable

import pytest

from model.alignment import Sentence
from model.analysis.model_comparison import likeness
from model.tokenizer import Tokenizer
from model.tracing import sentence


@pytest.fixture(scope="module")
def read(tokenizer: Tokenizer) -> Callable[[str], Sentence]:
    def make(text: str) -> Sentence:
        encoding = tokenizer.encode(text, "fr")
        return sentence(encoding, "fr", [tokenizer.token(index) for index in encoding.ids], ended=True)

    return make


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("le chat noir", "le chat noir", 1.0),
        ("le chat noir", "le chat", 4 / 5),  # 2 common words among 5
        ("le chat dort", "le chien dort", 4 / 6),
        ("un deux", "deux un", 2 / 4),  # in another order only one of them counts
        ("un deux", "trois quatre", 0.0),
        ("le", "Le", 0.0),
        ("", "", 1.0),
    ],
)
def test_the_share_of_common_words(one: str, other: str, share: float, read: Callable[[str], Sentence]) -> None:
    assert likeness(read(one), read(other)) == pytest.approx(share)
