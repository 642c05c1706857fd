import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from regard.model.alignment import ROWS, STEP, Alignment, Sentence
from regard.model.words import END, Span


def sentence(*words: list[str], ended: bool = True) -> Sentence:
    """Words given by their tokens."""
    tokens = [token for word in words for token in word]
    spans = [Span(0, 1)] * len(tokens) + [Span(1, 1)] * ended
    word_of = [index for index, word in enumerate(words) for _ in word]
    names = ["".join(word).strip() for word in words]
    if ended:
        tokens, word_of, names = [*tokens, END], [*word_of, len(words)], [*names, END]
    return Sentence("".join(tokens), "en", tuple(tokens), tuple(names), tuple(word_of), tuple(spans))


# "I like cats" to "J'aime les chats", pieces apart:
SOURCE = sentence([" I"], [" li", "ke"], [" cats"])
TARGET = sentence([" J'"], ["ai", "me"], [" les"], [" cha", "ts"])
ALIGNMENT = Alignment(
    SOURCE,
    TARGET,
    np.array(
        [
            # I    li   ke   cats </s>
            [0.7, 0.1, 0.0, 0.0, 0.2],  # J'
            [0.1, 0.3, 0.4, 0.1, 0.1],  # ai
            [0.3, 0.1, 0.4, 0.1, 0.1],  # me
            [0.0, 0.0, 0.1, 0.4, 0.5],  # les
            [0.0, 0.0, 0.0, 0.8, 0.2],  # cha
            [0.1, 0.0, 0.1, 0.4, 0.4],  # ts
            [0.0, 0.0, 0.0, 0.9, 0.1],  # </s>
        ]
    ),
)


Side = tuple[list[int], bool]  # how many tokens each word has; whether `</s>` follows
SIDES = st.tuples(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.booleans())


def build(source: Side, target: Side) -> Alignment:
    read, written = (sentence(*[["x"] * tokens for tokens in words], ended=ended) for words, ended in (source, target))
    scores = np.random.default_rng(len(read.tokens)).normal(0, 3, (len(written.tokens), len(read.tokens)))
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    return Alignment(read, written, weights.astype(np.float32))


def test_weights_of_the_word_produced_by_hand() -> None:
    merged = ALIGNMENT.by_words("output")
    assert merged.rows == ("J'", "aime", "les", "chats", END)
    assert merged.columns == ("I", "like", "cats", END)
    assert merged.row_of == (0, 1, 1, 2, 3, 3, 4)
    by_hand = [[0.7, 0.1, 0, 0.2], [0.2, 0.6, 0.1, 0.1], [0, 0.1, 0.4, 0.5], [0.05, 0.05, 0.6, 0.3], [0, 0, 0.9, 0.1]]
    assert np.allclose(merged.weights, by_hand)


def test_weights_of_the_word_fed_in_by_hand() -> None:
    merged = ALIGNMENT.by_words("input")
    assert merged.rows == ("<s>", "J'", "aime", "les", "chats")
    assert merged.row_of == (0, 1, 2, 2, 3, 4, 4)
    by_hand = [
        [0.7, 0.1, 0, 0.2], [0.1, 0.7, 0.1, 0.1], [0.15, 0.3, 0.25, 0.3], [0, 0, 0.8, 0.2], [0.05, 0.05, 0.65, 0.25],
    ]  # fmt: skip
    assert np.allclose(merged.weights, by_hand)


def test_where_every_step_has_its_own_row_only_the_columns_are_words() -> None:
    merged = ALIGNMENT.by_words(STEP)
    assert merged.rows == ALIGNMENT.target.tokens
    assert merged.row_of == tuple(range(7))
    assert np.allclose(merged.weights[1], [0.1, 0.7, 0.1, 0.1])
    assert np.allclose(merged.weights[:, [0, 2, 3]], ALIGNMENT.weights[:, [0, 3, 4]])


def test_links_go_to_the_heaviest_source_word_and_not_where_the_end_of_the_sentence_wins() -> None:
    assert ALIGNMENT.links("output") == ((0, 0), (1, 1), (2, 3))  # "les" looks at </s>; </s> itself is no word


def test_links_of_the_word_fed_in_refer_to_target_words_too() -> None:
    assert ALIGNMENT.links("input") == ((1, 0), (1, 1), (2, 2), (2, 3))  # the row of <s> makes no link


def test_a_word_that_reads_like_the_end_of_the_sentence_is_a_word() -> None:
    typed = sentence(["<", "/s>"], ended=False)
    assert Alignment(typed, typed, np.ones((2, 2)) / 2).links() == ((0, 0),)


@given(SIDES, SIDES, st.sampled_from((*ROWS, STEP)))
def test_every_step_has_a_row_and_every_row_a_step_and_rows_sum_to_1(source: Side, target: Side, rows: str) -> None:
    alignment = build(source, target)
    merged = alignment.by_words(rows)
    assert len(merged.row_of) == len(alignment.target.tokens)
    assert set(merged.row_of) == set(range(len(merged.rows)))
    assert merged.weights.shape == (len(merged.rows), len(merged.columns))
    assert np.allclose(merged.weights.sum(1), 1, atol=1e-6)


def test_a_target_without_tokens_has_no_rows() -> None:
    nothing = Alignment(SOURCE, sentence(ended=False), np.zeros((0, 5)))
    assert nothing.fed() == ()
    assert nothing.by_words("output").weights.shape == nothing.by_words("input").weights.shape == (0, 4)
    assert nothing.links() == ()
