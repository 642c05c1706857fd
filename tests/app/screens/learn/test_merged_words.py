import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.screens.learn.merged_words import EXAMPLE, merged
from regard.app.theme import percent
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import markdown, opened


def test_the_weights_of_four_tokens_add_up_to_the_weight_of_the_word(shipped: Pretrained) -> None:
    alignment = translate(shipped, [EXAMPLE])[0].alignment
    told = merged(alignment)
    assert told.startswith("**One word, 4 tokens:** the model reads “firefighter” as")
    word = alignment.source.words.index("firefighter")
    weights = alignment.weights[:, np.array(alignment.source.word_of) == word].sum(1)
    assert f"**{percent(float(weights.max()))}**" in told


def test_a_sentence_without_such_a_word_says_nothing_and_offers_one(screen: AppTest, shipped: Pretrained) -> None:
    assert merged(translate(shipped, ["I love you."])[0].alignment) == ""
    opened(screen, 7)
    assert "One word," not in markdown(screen)
    next(button for button in screen.button if EXAMPLE in button.label).click().run()
    assert not screen.exception
    assert "One word, 4 tokens" in markdown(screen)
