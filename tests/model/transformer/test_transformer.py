import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from regard.model.seq2seq import pad
from regard.model.tokenizer import PAD, START, STOP
from regard.model.transformer.attention import MultiHeadAttention
from regard.model.transformer.layers import DecoderPass
from regard.model.transformer.transformer import Transformer, TransformerConfig
from regard.model.translate import translate
from tests.support.small_transformer import small_transformer

VOCABULARY = 30


def transformer(heads: int = 2, encoder: int = 2, decoder: int = 2, positions: str = "sinusoids") -> Transformer:
    config = TransformerConfig(
        VOCABULARY,
        embedding=4 * heads,
        heads=heads,
        encoder_layers=encoder,
        decoder_layers=decoder,
        feed_forward=10,
        positions=positions,
    )
    torch.manual_seed(1)
    return Transformer(config).double().eval()


def sentences(*lengths: int) -> torch.Tensor:
    random = np.random.default_rng(sum(lengths))
    return pad([[*random.integers(STOP + 1, VOCABULARY, length - 1).tolist(), STOP] for length in lengths])


def steps(network: Transformer, source: torch.Tensor, target: torch.Tensor) -> list[DecoderPass]:
    """One token after the other, with the cache."""
    memory = network.encode(source)
    carried, found = network.start(memory), []
    fed = torch.cat([torch.full_like(target[:, :1], START), target[:, :-1]], dim=1)
    for tokens in fed.unbind(1):
        found.append(network.step(tokens, carried, memory))
        carried = found[-1].carried
    return found


@settings(max_examples=15, deadline=None)
@given(
    heads=st.integers(1, 3),
    layers=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    lengths=st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=3),
)
def test_steps_with_the_cache_give_what_all_tokens_at_once_give(
    heads: int, layers: tuple[int, int], lengths: list[tuple[int, int]]
) -> None:
    network = transformer(heads, *layers)
    source, target = sentences(*(one for one, _ in lengths)), sentences(*(other for _, other in lengths))
    taken = torch.stack([network.logits(step.attentional) for step in steps(network, source, target)], dim=1)
    torch.testing.assert_close(taken[target != PAD], network(source, target), rtol=0, atol=1e-12)


def test_without_positions_the_encoder_cannot_tell_order_and_with_them_it_can() -> None:
    source = sentences(6)
    turned = source.flip(1)
    blind, seeing = transformer(positions="none"), transformer()
    torch.testing.assert_close(blind.encode(turned).annotations.flip(1), blind.encode(source).annotations)
    assert not torch.allclose(seeing.encode(turned).annotations.flip(1), seeing.encode(source).annotations, atol=0.01)


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_attention_is_that_of_pytorch_with_the_same_weights(heads: int) -> None:
    torch.manual_seed(2)
    ours = MultiHeadAttention(8, heads)
    theirs = nn.MultiheadAttention(8, heads, bias=False, batch_first=True)
    theirs.load_state_dict(
        {
            "in_proj_weight": torch.cat([ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight]),
            "out_proj.weight": ours.W_O.weight,
        }
    )
    asking, source = torch.randn(2, 3, 8), torch.randn(2, 5, 8)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    remembered = ours.remember(source)
    found = ours(asking, remembered, mask[:, None, None])
    output, weights = theirs(asking, source, source, key_padding_mask=~mask, average_attn_weights=False)
    torch.testing.assert_close(found.output, output, rtol=0, atol=1e-6)
    torch.testing.assert_close(found.weights, weights, rtol=0, atol=1e-6)
    mixed = scaled_dot_product_attention(found.queries, *remembered, attn_mask=mask[:, None, None])
    torch.testing.assert_close(found.mixed, mixed, rtol=0, atol=1e-6)


def test_a_batch_records_what_each_sentence_alone_does() -> None:
    model, texts = small_transformer(), ["The cat sleeps.", "Yes.", "I have seen it."]
    for trace, text in zip(translate(model, texts), texts, strict=True):
        (alone,) = translate(model, [text])
        assert alone.target == trace.target
        for mine, theirs in zip(alone.arrays(), trace.arrays(), strict=True):
            np.testing.assert_allclose(mine, theirs, atol=2e-5)
