import pytest
import torch
from torch import Tensor

from regard.model.cells import CELLS
from regard.model.encoder import Encoder
from regard.model.tokenizer import PAD, STOP

HALF = 4  # components of one direction
SHORT = [7, 3, STOP]
LONG = [5, 6, 7, 8, 9, STOP]


@pytest.fixture(params=CELLS)
def encoder(request: pytest.FixtureRequest) -> Encoder:
    torch.manual_seed(0)
    return Encoder(request.param, vocabulary=10, embedding=3, state=HALF, dropout=0.3).eval()


def annotate(encoder: Encoder, *sentences: list[int]) -> Tensor:
    longest = max(map(len, sentences))
    source = torch.tensor([ids + [PAD] * (longest - len(ids)) for ids in sentences])
    return encoder(encoder.embedding(source), source != PAD)


def test_padding_changes_no_annotation_and_has_none_itself(encoder: Encoder) -> None:
    together = annotate(encoder, SHORT, LONG)
    assert torch.allclose(together[0, : len(SHORT)], annotate(encoder, SHORT)[0], atol=1e-6)
    assert torch.allclose(together[1], annotate(encoder, LONG)[0], atol=1e-6)
    assert (together[0, len(SHORT) :] == 0).all()


def test_it_is_pytorch_s_own_bidirectional_lstm() -> None:
    encoder = Encoder("lstm", vocabulary=10, embedding=3, state=HALF, dropout=0.3).eval()
    trusted = torch.nn.LSTM(3, HALF, batch_first=True, bidirectional=True)
    for name, value in encoder.forwards.rnn.named_parameters():
        getattr(trusted, name).data = value.data
    for name, value in encoder.backwards.rnn.named_parameters():
        getattr(trusted, f"{name}_reverse").data = value.data
    expected, _ = trusted(encoder.embedding(torch.tensor([LONG])))
    assert torch.allclose(annotate(encoder, LONG), expected, atol=1e-6)
