"""From attention to the Transformer: what the chapter reveals is what the numbers on screen make."""

from streamlit.testing.v1 import AppTest

from app.screens.learn.chapters.transformers import SHORTENED
from model.checkpoint import Pretrained
from model.examples.random_numbers import projected
from model.examples.self_attention import SELF_ATTENTION
from model.translate import translate
from tests.support.lesson_visitor import (
    CAME_TRUE,
    opened,
    predicted,
)


def test_words_that_change_places_keep_their_vectors(screen: AppTest, shipped: Pretrained) -> None:
    ids = translate(shipped, ["I love you."])[0].source_ids[:3]
    vectors = shipped.network.encoder.embedding.weight.detach().numpy()[ids]
    given = SELF_ATTENTION.matrices() | {"X": projected(vectors, SHORTENED)}
    contexts = SELF_ATTENTION.run(given)["contexts"]
    told = predicted(opened(screen, 11), 11, 1)
    assert CAME_TRUE in told
    assert f"({f'{contexts[0][0]:.4f}'.rstrip('0').replace('-', '−')}, " in told
    assert "difference is 0." in told
