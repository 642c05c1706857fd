from pathlib import Path

import numpy as np
import pytest

from regard.model import checkpoint
from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Pair
from regard.model.input_error import InputError
from regard.model.memory import occurrences
from regard.model.memory.datastore import MEMORY, load, save
from regard.model.memory.making import make, write
from regard.model.tokenizer import Tokenizer
from regard.model.translate import force
from tests.support.small_texts import PAIRS
from tests.support.small_transformer import small_transformer
from tests.support.small_translator import write_translator

TEXT = [Pair(*pair) for pair in PAIRS]
TOO_LONG = [Pair("word " * 200, "mot " * 200)]


@pytest.fixture
def recurrent(tmp_path: Path, tokenizer: Tokenizer) -> Pretrained:
    write_translator(tmp_path, tokenizer)
    return checkpoint.load(tmp_path)


@pytest.mark.parametrize("network", ["recurrent", "transformer"])
def test_states_are_those_of_the_trace(network: str, recurrent: Pretrained) -> None:
    model = recurrent if network == "recurrent" else small_transformer()
    for one, trace in zip(write(model, TEXT), force(model, TEXT), strict=True):
        np.testing.assert_allclose(one.states, trace.attentional, atol=1e-5)
        assert one.target == tuple(trace.target_ids.tolist())
        assert model.tokenizer.decode(one.source) == trace.alignment.source.text


def test_the_file_keeps_the_memory_and_is_left_out_for_other_weights(tmp_path: Path, recurrent: Pretrained) -> None:
    store, scores = make(recurrent, TEXT, TEXT, 10**6)
    assert scores["recall"] >= 0.9
    assert save(store, recurrent.fingerprint, tmp_path) == scores["bytes"] == (tmp_path / MEMORY).stat().st_size
    read = load(tmp_path, recurrent.fingerprint)
    assert read is not None
    for name in ("codes", "next_ids", "starts", "source_ids", "source_starts", "mean", "directions"):
        np.testing.assert_array_equal(getattr(read, name), getattr(store, name))
    assert (read.step, read.far, read.pairs) == (store.step, store.far, 8)
    assert load(tmp_path, "another") is None
    (tmp_path / MEMORY).write_bytes(b"broken")
    assert load(tmp_path, recurrent.fingerprint) is None


def test_a_smaller_file_holds_fewer_sentences_evenly_spaced(recurrent: Pretrained) -> None:
    whole, all_of_it = make(recurrent, TEXT, TEXT, 10**6)
    part, some = make(recurrent, TEXT, TEXT, all_of_it["bytes"] - 400)
    assert some["bytes"] <= all_of_it["bytes"] - 400
    assert 0 < part.sentences < whole.sentences == 8
    assert part.pairs == 8


@pytest.mark.parametrize(("training", "held_out"), [(TEXT, []), ([], TEXT), (TOO_LONG, TEXT), (TEXT, TOO_LONG)])
def test_without_text_there_is_no_memory(training: list[Pair], held_out: list[Pair], recurrent: Pretrained) -> None:
    with pytest.raises(InputError, match="too small, or its sentences have more than 100 tokens"):
        make(recurrent, training, held_out, 10**6)


def test_words_and_tokens_are_counted_in_any_case(tmp_path: Path, tokenizer: Tokenizer) -> None:
    counted = occurrences.count(
        tokenizer, [Pair("The cat sees the dog.", "Le chat voit."), Pair("THE CAT!", "Le chat !")]
    )
    assert (counted.word("the"), counted.word("Cat"), counted.word("dog"), counted.word("bird")) == (3, 2, 1, 0)
    assert counted.source_tokens[2] == counted.target_tokens[2] == counted.pairs == 2
    occurrences.save(counted, "hash", tmp_path)
    read = occurrences.load(tmp_path, "hash")
    assert read is not None
    assert read.words == counted.words
    np.testing.assert_array_equal(read.target_tokens, counted.target_tokens)
    assert occurrences.load(tmp_path, "other") is None
