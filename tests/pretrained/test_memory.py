"""The memory of the default translator is of its own weights, small, and holds no sentence of a test part."""

import pytest

from regard.model.cards.record_files import read_scores
from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import USUAL, bucket
from regard.model.memory import datastore, occurrences
from regard.model.memory.datastore import Datastore
from regard.model.memory.making import RECALL

MEGABYTE = 10**6


@pytest.fixture(scope="module")
def memory(shipped: Pretrained) -> Datastore:
    store = datastore.load(shipped.folder, shipped.fingerprint)
    assert store is not None, "make memory DATA=... makes the one of these weights"
    return store


def test_no_sentence_of_it_is_of_the_test_or_the_validation_part(shipped: Pretrained, memory: Datastore) -> None:
    sentences = [shipped.tokenizer.decode(memory.source(pair)) for pair in range(memory.sentences)]
    assert len(sentences) > 1000
    assert [sentence for sentence in sentences if bucket(sentence) < USUAL.validation] == []


def test_it_is_small_and_what_was_measured_of_it_is_recorded(shipped: Pretrained, memory: Datastore) -> None:
    recorded = read_scores(shipped.folder)["memory"]
    size = (shipped.folder / datastore.MEMORY).stat().st_size
    assert size == recorded["bytes"] <= 12 * MEGABYTE
    assert recorded["recall"] >= RECALL
    assert (len(memory), memory.sentences, memory.pairs) == (
        recorded["states"], recorded["sentence_pairs"], recorded["of_pairs"],
    )  # fmt: skip


def test_each_kept_token_was_counted(shipped: Pretrained, memory: Datastore) -> None:
    counted = occurrences.load(shipped.folder, shipped.fingerprint)
    assert counted is not None
    assert counted.pairs >= memory.pairs
    assert counted.target_tokens[memory.next_ids].min() > 0
    assert counted.source_tokens[memory.source_ids].min() > 0
    assert counted.word("The") == counted.word("the") > 1000
