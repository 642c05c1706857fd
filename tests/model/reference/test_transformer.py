from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from regard.model.alignment import Sentence
from regard.model.attention import HeadChange, Steering
from regard.model.checkpoint import save
from regard.model.reference.formulas import NumpyHeadChange, NumpySteering
from regard.model.reference.transformer import TransformerParameters, load_transformer_parameters, recompute_transformer
from regard.model.seq2seq import pad
from regard.model.tokenizer import START
from regard.model.trace import Maker, TraceOutput
from regard.model.transformer.checkpoint import PretrainedTransformer, load_transformer
from regard.model.transformer.trace import TransformerTrace
from regard.model.words import Span
from tests.support.small_transformer import small_transformer

SOURCE, TARGET = (40, 7, 900, 2), (33, 8, 41, 5, 2)
OFF = NumpyHeadChange("cross", 1, 0, np.zeros((1, 1)), np.ones((1, 1), dtype=bool))
GIVEN = NumpyHeadChange("encoder", 0, 1, np.full((4, 4), 0.25), np.array([[True], [False], [True], [False]]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model, place = small_transformer(), tmp_path_factory.mktemp("model")
    save(model.network, model.tokenizer, place)
    return place


def passed(
    model: PretrainedTransformer, steering: NumpySteering, changes: tuple[NumpyHeadChange, ...]
) -> TransformerTrace:
    """Compute SOURCE and TARGET by the network, step by step."""
    network, full = model.network, steering.rows(len(TARGET), len(SOURCE), np.dtype(np.float64))
    heads = tuple(
        HeadChange(each.attention, each.layer, each.head, torch.tensor(each.weights), torch.tensor(each.replaced))
        for each in changes
    )
    memory = network.encode(pad([SOURCE]), heads)
    start = carried = network.start(memory)
    steps = []
    for t, token in enumerate([START, *TARGET[:-1]]):
        arrays = full.bonus, full.temperature, full.hidden, full.weights, full.replaced
        bonus, temperature, hidden, weights, replaced = (torch.tensor(array[t : t + 1]) for array in arrays)
        own = Steering(bonus, temperature, hidden, weights, replaced, heads)
        steps.append(network.step(torch.tensor([token]), carried, memory, own))
        carried = steps[-1].carried
    maker = Maker(model.name, model.fingerprint, *network.choices())
    T, nothing = len(TARGET), np.zeros(len(TARGET))
    output = TraceOutput(
        read=letters(len(SOURCE)), written=letters(T), maker=maker, stop="forced", source_ids=np.array(SOURCE),
        target_ids=np.array(TARGET), logits=nothing, log_normaliser=nothing, top_ids=np.zeros((T, 1), dtype=np.int64),
        top_tokens=(("a",),) * T, top_logits=np.zeros((T, 1)),
    )  # fmt: skip
    return network.traces([output], memory, start, steps)[0]


def letters(count: int) -> Sentence:
    """A sentence of so many tokens."""
    return Sentence("a", "en", ("a",) * count, ("a",), (0,) * count, (Span(0, 1),) * count)


def compare(
    parameters: TransformerParameters,
    trace: TransformerTrace,
    steering: NumpySteering,
    changes: tuple[NumpyHeadChange, ...],
) -> None:
    found, atol = recompute_transformer(parameters, SOURCE, TARGET, steering, changes), 1e-10
    for name in ("source_embedded", "annotations", "target_embedded", "attentional"):
        np.testing.assert_allclose(getattr(found, name), getattr(trace, name), atol=atol, rtol=0, err_msg=name)
    for group, _, name in (array.rpartition(".") for array in TransformerTrace.array_types()):
        for layer, numbers in enumerate(getattr(found, group) if group else ()):
            mine, theirs = getattr(numbers, name), getattr(getattr(trace, group), name)[layer]
            if "scores" in name and group == "decoder_attention":
                mine = np.tril(mine)
            np.testing.assert_allclose(mine, theirs, atol=atol, rtol=0, err_msg=f"{group} {name}")


PLAIN = NumpySteering.none(), ()
STEERING = NumpySteering(
    np.eye(5, 4), np.full((1, 1), 0.7), np.array([[False, True, False, False]]),
    np.tile([0.5, 0.0, 0.25, 0.25], (5, 1)), np.array([[False], [True], [False], [False], [False]]),
)  # fmt: skip


@pytest.mark.parametrize("changed", [PLAIN, (STEERING, (OFF, GIVEN))], ids=["plain", "changed"])
def test_numpy_from_the_file_gives_what_torch_gives(
    folder: Path, changed: tuple[NumpySteering, tuple[NumpyHeadChange, ...]]
) -> None:
    exact = load_transformer(folder, torch.float64)
    compare(load_transformer_parameters(folder, np.float64), passed(exact, *changed), *changed)


def test_a_perturbed_parameter_is_noticed(folder: Path) -> None:
    exact, parameters = load_transformer(folder, torch.float64), load_transformer_parameters(folder, np.float64)
    trace = passed(exact, *PLAIN)
    for name, array in parameters.arrays.items():
        other = array.copy()
        other[(SOURCE[0], 0) if name == "embedding.weight" else (0,) * array.ndim] += 1e-3
        with pytest.raises(AssertionError):
            compare(replace(parameters, arrays={**parameters.arrays, name: other}), trace, *PLAIN)


def test_a_folder_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a Transformer that can be read"):
        load_transformer_parameters(tmp_path)
