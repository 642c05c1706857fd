import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from regard.model import checkpoint
from regard.model.cards.record_files import TRAINING
from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Corpus, Pair
from regard.model.training.checkpointing import TrainingRun, restore_run, save_run
from regard.model.training.snapshots import MOMENTS, SNAPSHOTS, WATCHED, Snapshot, Snapshots, look
from regard.model.training.trainer import Options, Training
from regard.model.transformer.checkpoint import PretrainedTransformer, build
from regard.model.translate import force, translate
from regard.model.uploads.admission import check_snapshots
from tests.support.same_recording import assert_same
from tests.support.small_texts import PAIRS as SENTENCES
from tests.support.small_transformer import small_transformer

PAIRS = tuple(Pair(*sides) for sides in SENTENCES)
LOOKED_AT = PAIRS[:3]


@pytest.fixture(scope="module")
def recorded(tiny_model: Pretrained) -> Snapshots:
    seen = Snapshots(LOOKED_AT, ())
    for update in (1, 7, 20):
        seen = seen.with_moment(look(tiny_model.network, tiny_model.tokenizer, LOOKED_AT, update))
    return seen


@pytest.fixture
def file(recorded: Snapshots, tmp_path: Path) -> Path:
    recorded.save(tmp_path / SNAPSHOTS)
    return tmp_path / SNAPSHOTS


def refused(path: Path, told: str = "") -> None:
    with pytest.raises(ValueError, match=r".") as error:
        Snapshots.load(path)
    assert str(error.value).startswith(f"{path}: no snapshots of a training run")
    assert told in str(error.value)


def test_saved_snapshots_are_the_same_when_loaded(recorded: Snapshots, file: Path) -> None:
    assert_same(Snapshots.load(file), recorded)


@given(place=st.floats(0, 1, exclude_max=True), value=st.integers(0, 255))
def test_a_changed_byte_is_refused_or_changes_no_more_than_it_may(
    place: float, value: int, recorded: Snapshots, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A zip file has bytes that mean nothing; whatever is still read has as many pairs and moments."""
    path = tmp_path_factory.mktemp("spoilt") / SNAPSHOTS
    recorded.save(path)
    content = bytearray(path.read_bytes())
    content[int(place * len(content))] = value
    path.write_bytes(content)
    try:
        found = Snapshots.load(path)
    except ValueError:
        refused(path)
    else:
        assert (len(found.pairs), len(found.moments)) == (len(LOOKED_AT), 3)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda held: held.pop("updates"), "updates"),
        (lambda held: held.pop("weights_1"), "weights_1"),
        (lambda held: held.update(updates=held["updates"][:2]), "updates"),
        (lambda held: held.update(updates=held["updates"] / 2), "updates is an array of float64"),
        (lambda held: held.update(translations=held["translations"][:, :1]), "translations"),
        (lambda held: held.update(log_probabilities=held["translations"]), "log_probabilities is an array of <U"),
        (lambda held: held.update(sources=np.arange(3)), "sources is an array of int64"),
        (lambda held: held.update(weights_0=held["weights_0"][0]), "weights_0"),
        (lambda held: held.update(weights_0=held["weights_0"][:2]), "weights_"),
        (lambda held: held.update(sources=np.array(["a", None], dtype=object)), "allow_pickle"),
        (lambda held: held.clear(), ""),
    ],
)
def test_arrays_of_another_kind_or_shape_are_refused_by_name(
    change: Callable[[dict[str, np.ndarray]], object], told: str, file: Path
) -> None:
    with np.load(file) as content:
        held = dict(content)
    change(held)
    np.savez(file, allow_pickle=True, **held)
    refused(file, told)


def test_a_look_is_what_the_model_translates_and_gives_to_the_pairs(tiny_model: Pretrained) -> None:
    found = look(tiny_model.network, tiny_model.tokenizer, LOOKED_AT, 5)
    forced = force(tiny_model, LOOKED_AT)
    assert found.update == 5
    assert all(np.allclose(rows, trace.weights, atol=1e-6) for rows, trace in zip(found.weights, forced, strict=True))
    assert np.allclose(found.log_probabilities, [trace.log_probability for trace in forced])
    assert found.translations == tuple(
        trace.text for trace in translate(tiny_model, [pair.source for pair in LOOKED_AT])
    )


def test_of_a_transformer_every_head_is_kept_in_the_file_and_in_an_unfinished_run(tmp_path: Path) -> None:
    model = small_transformer()
    found = look(model.network, model.tokenizer, LOOKED_AT, 5)
    forced = force(model, LOOKED_AT)
    for heads, trace in zip(found.heads, forced, strict=True):
        assert heads.shape == trace.cross_attention.weights.shape
        assert heads.dtype == np.float16
        assert np.allclose(heads, trace.cross_attention.weights, atol=5e-4)
    seen = Snapshots(LOOKED_AT, (found,))
    seen.save(tmp_path / SNAPSHOTS)
    assert_same(Snapshots.load(tmp_path / SNAPSHOTS), seen)
    check_snapshots((tmp_path / SNAPSHOTS).read_bytes())
    state = tmp_path / "state.safetensors"
    save_run(TrainingRun(begin(model), seen), state)
    taken_up = TrainingRun(begin(model), Snapshots(LOOKED_AT, ()))
    restore_run(taken_up, state)
    assert_same(taken_up.snapshots, seen)


def begin(model: Pretrained | PretrainedTransformer) -> Training:
    torch.manual_seed(0)
    options = Options(updates=8, batch_tokens=90, rate=0.01, warmup=2, validate_every=3)
    train, validation = Corpus(PAIRS[2:], model.tokenizer), Corpus(PAIRS[:2], model.tokenizer)
    return Training(build(model.config), train, validation, options)


def test_entropy_and_loss_over_time_by_hand() -> None:
    sure, even = np.array([[1.0, 0.0], [0.0, 1.0]]), np.full((2, 2), 0.5)
    seen = Snapshots((Pair("a", "b"),), (Snapshot(1, (even,), (-6.0,), ("",)), Snapshot(2, (sure,), (-1.0,), ("b",))))
    assert seen.entropies(0).tolist() == [1, 0]
    assert seen.losses(0).tolist() == [3.0, 0.5]


def test_those_of_a_run_that_went_on_count_on_from_the_earlier_run(recorded: Snapshots) -> None:
    last = recorded.moments[-1].update
    both = recorded.after(recorded)
    assert both.moments[: len(recorded.moments)] == recorded.moments
    counted = [moment.update for moment in both.moments[len(recorded.moments) :]]
    assert counted == [last + moment.update for moment in recorded.moments]
    with pytest.raises(ValueError, match="other sentence pairs"):
        Snapshots((Pair("a", "b"),), recorded.moments).after(recorded)


def test_snapshots_ship_with_every_translator_end_with_the_last_update_of_the_history_and_are_small() -> None:
    folders = [config.parent for config in checkpoint.PRETRAINED.glob("en-fr*/config.json")]
    assert folders
    for file in (folder / SNAPSHOTS for folder in folders):
        seen = Snapshots.load(file)
        with (file.parent / "history.csv").open(encoding="utf-8") as history:
            last = int(list(csv.DictReader(history))[-1]["update"])
        record = json.loads((file.parent / TRAINING).read_text(encoding="utf-8"))
        begun = (record.get("began_with") or {}).get("updates", 0)
        updates = [moment.update for moment in seen.moments]
        assert updates == sorted(set(updates))
        first = begun + 1400 if file.parent.name == "en-fr" else begun + 1  # its run on a GPU kept nothing earlier
        assert {1, begun, first, begun + last} - {0} <= set(updates)
        assert len(updates) >= MOMENTS
        assert len(seen.pairs) == WATCHED
        assert file.stat().st_size < 1.5 * 10**6  # a Transformer's have every head, twelve times a run
