"""Chapter 11: the words of a sentence ask each other."""

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from app.components.matrices.mount import matrices
from app.figures.lesson.limits import transformer
from app.screens.learn.chapter import Chapter, Prediction
from app.screens.learn.number_format import listed, written
from app.screens.learn.subject import Subject
from app.wording import plain_markdown
from app.worked_example.markdown import prose
from model.examples.example import LARGEST
from model.examples.random_numbers import projected, retold
from model.examples.self_attention import SEED, SELF_ATTENTION, WORDS

SHORTENED = 0  # seed of the matrix that shortens the words' vectors
TEXT = """
In 2017 the **Transformer** (Vaswani and others) kept the three moves that you know, compare, weigh and sum, and
dropped the recurrent network around them. Learned matrices make three lists of every word: a **query** that asks, a
**key** that it is compared by, and a **value** that is summed.

In **self-attention** the words of one sentence ask each other, all at once and without a state to wait for. Several
such *heads* look side by side. Here your own words do it, in small. Their vectors are the model's, shortened by a
random matrix; queries, keys and values come from random matrices too. The arithmetic is real, but nobody trained it.
"""


def live(lesson: Subject) -> Prediction | None:
    words, vectors = _words(lesson)
    if not words:
        return None
    source = f"The model's embeddings, made short by chance with seed {SHORTENED}; W_Q, W_K and W_V with seed {SEED}"
    example = retold(SELF_ATTENTION, {"X": projected(vectors, SHORTENED)}, {WORDS: words}, source)
    steps = {step.name: step for step in example.steps}
    chosen = st.segmented_control(
        "Calculation", list(steps), default="weights", required=True, key="asked", bind="query-params"
    )
    step = steps[chosen or "weights"]
    st.markdown(prose(step.text))
    matrices(example, step, example.run(), key="self-matrices", printed=False)
    st.caption(
        f"Drawn by chance: the matrix that shortens the vectors (seed {SHORTENED}), W_Q, W_K and W_V (seed {SEED})."
    )
    return _question(words, example.matrices())


def _words(lesson: Subject) -> tuple[tuple[str, ...], Float[ndarray, "W D"]]:
    """The first words of the sentence and their embeddings, each the mean over its tokens; punctuation is left out."""
    source = lesson.trace.alignment.source
    places = [place for place, word in enumerate(source.words) if word[0].isalnum()][:LARGEST]
    embeddings = lesson.model.network.encoder.embedding.weight.detach().numpy()[lesson.trace.source_ids]
    word_of = np.array(source.word_of)
    vectors = [embeddings[word_of == place].mean(0) for place in places]
    return tuple(source.words[place] for place in places), np.reshape(vectors, (len(places), embeddings.shape[1]))


def _question(words: tuple[str, ...], given: dict[str, np.ndarray]) -> Prediction | None:
    """The first and the last word change places: what becomes of the first one's new vector?"""
    if len(words) < 2:
        return None
    order = [len(words) - 1, *range(1, len(words) - 1), 0]
    before = SELF_ATTENTION.function(**given)["contexts"]
    after = SELF_ATTENTION.function(**given | {"X": given["X"][order]})["contexts"]
    apart = float(np.abs(after[-1] - before[0]).max())
    first, last = (plain_markdown(word) for word in (words[0], words[-1]))
    return Prediction(
        f"“{first}” and “{last}” change places. What becomes of the new vector of “{first}”, its row of contexts?",
        ("It gets other numbers", "It keeps its numbers", f"It gets the numbers that “{last}” had"),
        1 if apart < 1e-9 else 0,
        f"Before: {listed(before[0])}. After, in the last row: **{listed(after[-1])}**. The greatest difference is "
        f"{written(apart)}.",
        "Every word asks all words wherever they stand, so self-attention does not know their order; a Transformer "
        "adds a vector for each position to tell it.",
        (
            "Its query, its key and the words that it asks are the same as before.",
            "",
            "The vector belongs to the word, not to the place.",
        ),
    )


CHAPTER = Chapter(
    "From here to Transformers",
    TEXT,
    transformer,
    "On the left the decoder's state asks three English words; on the right three words ask the same three words",
    "Choose a calculation. Point at a number of the result, or choose it, to see its sum.",
    live,
    own=True,
)
