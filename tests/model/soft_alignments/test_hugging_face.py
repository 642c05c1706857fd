"""Attention of small random models of transformers is that of a forward pass over each sentence alone."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import regard
from regard.model.input_error import InputError

PAD, BEGIN, END = 0, 1, 2
IDS = {"vocab_size": 30, "pad_token_id": PAD, "bos_token_id": BEGIN, "eos_token_id": END}
LAYERS: dict[str, Any] = {**IDS, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4,
                          "intermediate_size": 16, "max_position_embeddings": 64}  # fmt: skip
SIDES: dict[str, Any] = {
    **IDS, "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "max_position_embeddings": 64,
    "decoder_start_token_id": END, "forced_eos_token_id": None,
}  # fmt: skip
T5 = {**IDS, "d_model": 16, "d_kv": 4, "d_ff": 16, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": PAD}
GROUPED = {**LAYERS, "num_key_value_heads": 2, "head_dim": 4}
GPT = {**IDS, "n_embd": 16, "n_layer": 2, "n_head": 4, "n_positions": 64}
ENCODER_DECODERS = {
    **dict.fromkeys(("Marian", "Bart", "MBart", "M2M100", "Blenderbot", "PLBart"), SIDES),
    "T5": T5,
    "UMT5": T5,
    "FSMT": {**SIDES, "langs": ["en", "fr"], "src_vocab_size": 30, "tgt_vocab_size": 30, "num_beams": 1},
}
ENCODERS = {
    **dict.fromkeys(("Bert", "Roberta", "DebertaV2", "RoFormer"), LAYERS),
    "Electra": {**LAYERS, "embedding_size": 16},
    "DistilBert": {**IDS, "dim": 16, "n_layers": 2, "n_heads": 4, "hidden_dim": 16},
    "ModernBert": {**LAYERS, "cls_token_id": BEGIN, "sep_token_id": END},
}
DECODERS = {
    **dict.fromkeys(("Llama", "Mistral", "Qwen3", "Gemma2"), GROUPED),
    "GPT2": GPT,
    "GPTNeoX": LAYERS,
    "Bloom": LAYERS,
    "OPT": {**LAYERS, "ffn_dim": 16, "word_embed_proj_dim": 16},
}
WAYS = ({"do_sample": False}, {"do_sample": True}, {"num_beams": 3, "num_return_sequences": 2})


class Tokenizer:
    """Names each id; `pad` may also end sentences."""

    name_or_path = "small"

    def __init__(self, pad: int | None = PAD, end: int = END) -> None:
        self.pad_token_id, self.eos_token_id = pad, end

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        return [f"▁w{index}" for index in ids]


def model_of(kind: str, name: str, config: dict[str, Any]) -> Any:
    torch.manual_seed(1)
    made = getattr(transformers, f"{name}Config")(**config)
    return getattr(transformers, kind).from_config(made, attn_implementation="eager").eval()


def generated(model: Any, ids: torch.Tensor, mask: torch.Tensor, way: dict[str, Any]) -> Any:
    lengths = {"max_new_tokens": 4, "min_new_tokens": 2, "suppress_tokens": [PAD, BEGIN]}
    wanted = {"output_attentions": True, "output_scores": True, "output_logits": True}
    return model.generate(ids, attention_mask=mask, return_dict_in_generate=True, **lengths, **wanted, **way)


def stacked(layers: Any) -> np.ndarray:
    return torch.stack([layer[0] for layer in layers]).detach().numpy()


@pytest.mark.parametrize("name", ENCODER_DECODERS)
def test_an_encoder_decoder_is_read_as_its_forward_pass(name: str) -> None:
    model = model_of("AutoModelForSeq2SeqLM", name, ENCODER_DECODERS[name])
    sources = torch.tensor([[5, 6, 7, END], [8, END, PAD, PAD]])
    mask = (sources != PAD).long()
    for way in WAYS:
        outputs = generated(model, sources, mask, way)
        for index, sequence in enumerate(outputs.sequences):
            given = regard.from_transformers(outputs, Tokenizer(), sources, index=index)
            source = sources[index * 2 // len(outputs.sequences)]
            fed, written = sequence[: len(given.target)], sequence[1 : len(given.target) + 1]
            passed = model(
                source[source != PAD][None], decoder_input_ids=fed[None], output_attentions=True, use_cache=False
            )
            for attention in ("cross", "decoder", "encoder"):
                expected = stacked(passed[f"{attention}_attentions"])
                np.testing.assert_allclose(given.heads[attention], expected, atol=1e-5)
            chances = passed.logits[0].softmax(-1)[range(len(written)), written]
            assert given.probabilities is not None
            np.testing.assert_allclose(given.probabilities, chances.detach(), atol=1e-5)
            forced = regard.from_transformers(passed, Tokenizer(), source[source != PAD], written)
            assert forced.alignment.target == given.alignment.target


@pytest.mark.parametrize("name", ENCODERS)
def test_the_self_attention_of_an_encoder_is_that_of_its_sentence_alone(name: str) -> None:
    model = model_of("AutoModel", name, ENCODERS[name])
    ids = torch.tensor([[BEGIN, 5, 6, 7, END], [BEGIN, 8, END, PAD, PAD]])
    outputs = model(ids, attention_mask=(ids != PAD).long(), output_attentions=True)
    given = regard.from_transformers(outputs, Tokenizer(), ids, index=1)
    alone = stacked(model(ids[1:, :3], output_attentions=True).attentions)
    np.testing.assert_allclose(given.heads["self"], alone, atol=1e-5)
    assert given.alignment.source.text == "w1 w8 w2"
    assert not given.causal


@pytest.mark.parametrize("name", DECODERS)
def test_the_self_attention_of_a_decoder_is_causal_and_that_of_its_sequence(name: str) -> None:
    model = model_of("AutoModelForCausalLM", name, DECODERS[name])
    prompts = torch.tensor([[BEGIN, 5, 6, 7], [PAD, PAD, BEGIN, 8]])
    for way in WAYS:
        outputs = generated(model, prompts, (prompts != PAD).long(), way)
        for index, sequence in enumerate(outputs.sequences):
            given = regard.from_transformers(outputs, Tokenizer(), prompts, index=index)
            real = sequence[sequence != PAD][None, : len(given.source)]
            np.testing.assert_allclose(
                given.heads["self"], stacked(model(real, output_attentions=True).attentions), atol=1e-5
            )
            assert given.causal
            assert given.alignment.source.text == " ".join(f"w{token}" for token in real[0])
    right = torch.tensor([[BEGIN, 5, 6, 7], [BEGIN, 8, PAD, PAD]])
    padded = model(right, attention_mask=(right != PAD).long(), output_attentions=True)
    given = regard.from_transformers(padded, Tokenizer(), right, index=1)
    alone = model(right[1:, :2], output_attentions=True)
    np.testing.assert_allclose(given.heads["self"], stacked(alone.attentions), atol=1e-5)
    assert regard.show(alone.attentions, ["▁w1", "▁w8"]).heads["self"].shape == (2, 4, 2, 2)


@pytest.mark.parametrize(
    ("ids", "mask", "read"),
    [
        ([BEGIN, 5, END, END], [1, 1, 1, 0], "w1 w5 w2"),
        ([BEGIN, 5, END], [1, 1, 1], "w1 w5 w2"),
        ([END, END, 5, 6], [0, 0, 1, 1], "w5 w6"),
        ([END, 5, 6], [1, 1, 1], "w2 w5 w6"),
    ],
)
def test_a_token_that_ends_and_pads_is_padding_where_nothing_attends_to_it(
    ids: list[int], mask: list[int], read: str
) -> None:
    model = model_of("AutoModelForCausalLM", "GPT2", GPT)
    outputs = model(torch.tensor([ids]), attention_mask=torch.tensor([mask]), output_attentions=True)
    assert regard.from_transformers(outputs, Tokenizer(END), [ids]).alignment.source.text == read


def test_a_square_matrix_whose_columns_sum_to_one_is_warned_of() -> None:
    with pytest.warns(regard.InputWarning, match="columns sum to 1, rows do not"):
        regard.show([[0.9, 0.6], [0.1, 0.4]], ["x", "y"], ["a", "b"])


def weights(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).dirichlet(np.ones(shape[-1]), shape[:-1]).astype(np.float32)


SOURCES, RETURNED = np.array([[10, 11, 2], [30, 31, 2]]), np.array([[2, 20, 2], [2, 21, 2], [2, 40, 2], [2, 41, 2]])


def test_sequences_of_a_beam_that_is_not_known_are_refused() -> None:
    outputs = SimpleNamespace(sequences=RETURNED[:2], cross_attentions=[[weights(6, 2, 1, 3)]], beam_indices=None)
    with pytest.raises(InputError, match=r"6 rows for 2 sequences.*output_scores=True"):
        regard.from_transformers(outputs, Tokenizer(), SOURCES)
    with pytest.raises(InputError, match="index is 9; the outputs have sequences 0 to 1"):
        regard.from_transformers(outputs, Tokenizer(), SOURCES, index=9)


@pytest.mark.parametrize(
    ("ids", "more", "masked", "words"),
    [
        ([10, 11, 2, 2, 2], (2, 2), (3, 4), "w10 w11 w2"),
        ([2, 2, 10, 2, 11, 2], (2, 2), (0, 1), "w10 w2 w11 w2"),
        ([10, 11, 2, 2], (2, 2), (), "w10 w11 w2 w2"),  # no mask: the model attended to them
        ([10, 1, 11, 2, 1, 1], (1, 2), (), "w10 w1 w11 w2"),
        ([1, 10, 11, 2], (1, 2), (), "w10 w11 w2"),
    ],
)
def test_padding_is_known_by_its_place(ids: list[int], more: tuple[int], masked: tuple[int, ...], words: str) -> None:
    cross = weights(1, 2, 2, len(ids))
    cross[..., list(masked)] = 0
    outputs = SimpleNamespace(cross_attentions=[cross])
    given = regard.from_transformers(outputs, Tokenizer(*more), [ids], [[20, 2]])
    assert given.alignment.source.text == words


def test_a_prompt_of_the_decoder_has_rows_of_its_own() -> None:
    steps = [[weights(1, 2, 3, 6)], [weights(1, 2, 1, 6)]]
    own = [[np.tri(3)[None, None] / np.arange(1, 4)[:, None]], [weights(1, 1, 1, 4)]]
    outputs = SimpleNamespace(
        sequences=np.array([[3, 4, 5, 20, 2]]),
        cross_attentions=steps,
        decoder_attentions=own,
        logits=[np.zeros((1, 30))],
    )
    source, rows = np.arange(10, 16)[None], np.concatenate([steps[0][0], steps[1][0]], 2)[0]
    given = regard.from_transformers(outputs, Tokenizer(), source)
    assert given.alignment.target.text == "w4 w5 w20 w2"
    assert np.array_equal(given.heads["cross"][0], rows)
    assert given.heads["decoder"].shape == (1, 1, 4, 4)
    assert given.probabilities is None
    later = regard.from_transformers(outputs, Tokenizer(), source, outputs.sequences[:, 3:])
    assert later.alignment.target.text == "w20 w2"
    assert np.array_equal(later.heads["cross"][0], rows[:, 2:])
    with pytest.raises(InputError, match=r"no part of outputs\.sequences"):
        regard.from_transformers(outputs, Tokenizer(), source, [[7, 8]])


def test_scores_are_not_shown_as_the_models_probabilities() -> None:
    outputs = SimpleNamespace(
        sequences=np.array([[0, 2]]), cross_attentions=[[weights(1, 2, 1, 3)]], scores=[np.array([[0.0, 10, 20]])]
    )
    with pytest.warns(regard.InputWarning, match=r"processors have changed the scores.*output_logits=True"):
        assert regard.from_transformers(outputs, Tokenizer(None), SOURCES[:1]).probabilities is None
    outputs.logits = [np.array([[0.0, 1, 2]])]
    given = regard.from_transformers(outputs, Tokenizer(None), SOURCES[:1])
    assert given.probabilities is not None
    assert given.probabilities[0] == pytest.approx(0.6652, abs=1e-4)


LAYER, SQUARE, READ, WRITTEN = weights(1, 2, 2, 3), weights(1, 2, 3, 3), [[5, 6, 2]], [[7, 2]]
CROSS = {"cross_attentions": [LAYER]}
WINDOW = np.array([[[[0, 0.5, 0.5], [0.3, 0.4, 0.3], [0.5, 0.5, 0]]]])  # three places around each of three tokens
PROMPTED = {"attentions": ((weights(1, 2, 2, 2),),), "sequences": np.array([[5, 6, 7]])}


@pytest.mark.parametrize(
    ("outputs", "source", "target", "told"),
    [
        (CROSS | {"encoder_attentions": [weights(1, 2, 3, 9)]}, READ, WRITTEN, r"\(1, 2, 3, 9\).* window"),
        (CROSS | {"encoder_attentions": [weights(1, 1, 2, 2, 6)]}, READ, WRITTEN, r"encoder_.* \(1, 1, 2, 2, 6\)"),
        (CROSS | {"encoder_attentions": [WINDOW]}, READ, WRITTEN, "distances within a window"),
        (CROSS, {"input_ids": READ}, WRITTEN, "source_ids is a whole batch, of type dict; pass its input_ids"),
        (CROSS, [["a", "b", "c"]], WRITTEN, "source_ids are no numbers"),
        (CROSS, [READ], WRITTEN, r"source_ids have the shape \(1, 1, 3\); accepted are"),
        ({"cross_attentions": [weights(2, 2, 3)]}, READ, WRITTEN, r"attentions have the shape \(2, 2, 3\); acc"),
        ({"cross_attentions": weights(1, 2, 2, 3)}, READ, WRITTEN, "cross_attentions have the type ndarray; acc"),
        ({"cross_attentions": (None, None)}, READ, WRITTEN, "no cross_attentions and no attentions: load the"),
        ({"cross_attentions": [LAYER, weights(1, 3, 2, 3)]}, READ, WRITTEN, "layers of one sh"),
        ({"attentions": (SQUARE,)}, [[5, 6]], None, "source_ids have 2 tokens, the attentions 3 r"),
        ({"attentions": (weights(1, 2, 3, 9),)}, [[5, 6, 7]], None, "3 rows and 9 columns.*within a window"),
        ({"attentions": (SQUARE,)}, [[5, 6, 7]], [1], "target_ids are of no use"),
        ({"attentions": 5}, [[5]], None, "attentions have the type int; accepted is a tuple"),
        ({"attentions": None, "last_hidden_state": 1}, [[5]], None, "no attentions: load the model with"),
        ({"encoder_attentions": (SQUARE,)}, [[5]], None, "self-attention, but no cross_attentions"),
        (PROMPTED, [[6, 5]], None, "not how outputs.sequences begin"),
    ],
)
def test_an_argument_that_does_not_fit_is_named_with_its_shape_and_what_is_accepted(
    outputs: dict[str, Any], source: Any, target: Any, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        regard.from_transformers(SimpleNamespace(**outputs), Tokenizer(), source, target)


def test_a_tokenizer_of_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="tokenizer is of type object"):
        regard.from_transformers(SimpleNamespace(**CROSS), object(), READ, WRITTEN)
