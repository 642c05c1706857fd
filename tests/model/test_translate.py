from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.cells import CELLS
from regard.model.checkpoint import Pretrained
from regard.model.config import INITIAL_STATES
from regard.model.tokenizer import STOP
from regard.model.trace import Trace
from regard.model.translate import force, force_ids, limit, translate, write
from regard.model.words import END, normalise
from tests.support.every_kind import ATTENTIONS, FEEDING

SENTENCES = ["I love you.", "", "The boy who is wearing a blue shirt doesn't see the old house.", "日本 🎉 </s>", "I"]
ANY_TEXT = st.text(st.characters(), max_size=12)


KINDS = [(*each.values(), cell) for each in ATTENTIONS for cell in CELLS]


@pytest.fixture(scope="module", params=[*KINDS, ("ending",)], ids="-".join)
def model(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained], ending: Pretrained) -> Pretrained:
    """Every score, wiring and cell, and one that ends; input feeding and the encoder's initial state take turns."""
    if request.param == ("ending",):
        return ending
    score, wiring, cell = request.param
    return make_model(
        score=score,
        wiring=wiring,
        cell=cell,
        input_feeding=FEEDING[wiring][-1] and cell == "gru",
        initial_state=INITIAL_STATES[score in ("dot", "none")],
    )


@pytest.fixture(scope="module")
def ending(make_model: Callable[..., Pretrained]) -> Pretrained:
    """A model that ends most sentences, at various lengths: `</s>` is likely where the decoder comes to rest."""
    model = make_model()
    vectors = [trace.attentional for trace in translate(model, SENTENCES)]
    early = np.concatenate([rows[:1] for rows in vectors]).mean(0)
    late = np.concatenate([rows[3:] for rows in vectors]).mean(0)
    model.network.embedding.weight[STOP] = 7 * torch.tensor(late - early)
    return model


def test_a_batch_gives_the_tokens_of_single_sentences_and_their_numbers_within_1e_5(model: Pretrained) -> None:
    for together, sentence in zip(translate(model, SENTENCES), SENTENCES, strict=True):
        alone = translate(model, [sentence])[0]
        assert (together.target, together.stop) == (alone.target, alone.stop)
        for name, one, other in zip(Trace.array_types(), together.arrays(), alone.arrays(), strict=True):
            assert np.allclose(one, other, rtol=0, atol=1e-5) or name == "top_ids", name


@settings(max_examples=20)
@given(st.lists(ANY_TEXT, max_size=5))
def test_any_text_gives_one_trace_each_in_order(tiny_model: Pretrained, sentences: list[str]) -> None:
    traces = translate(tiny_model, sentences)
    assert [trace.alignment.source.text for trace in traces] == [normalise(sentence) for sentence in sentences]


def test_writing_gives_what_the_decoders_of_the_traces_wrote(model: Pretrained) -> None:
    assert write(model, SENTENCES) == [trace.alignment.target.text for trace in translate(model, SENTENCES)]


def test_forcing_what_the_model_wrote_changes_no_bit(model: Pretrained) -> None:
    for sentence in SENTENCES:
        free = translate(model, [sentence])[0]
        source = model.tokenizer.encode(sentence, "en")
        forced = force_ids(model, [source], [tuple(free.target_ids.tolist())])[0]
        assert all(map(np.array_equal, forced.arrays(), free.arrays()))
        assert forced.alignment.source == free.alignment.source
        assert forced.alignment.target == free.alignment.target


def test_a_forced_target_is_the_given_text_and_its_end(tiny_model: Pretrained) -> None:
    traces = force(tiny_model, [("I love you.", "Je t’aime."), ("The cat", "")])
    assert [trace.text for trace in traces] == ["Je t'aime.", ""]
    assert [trace.stop for trace in traces] == ["forced", "forced"]
    assert traces[0].alignment.target.words == ("Je", "t'", "aime", ".", END)
    assert traces[1].target == (END,)


def test_a_translation_that_does_not_end_stops_at_the_limit_and_says_so(make_model: Callable[..., Pretrained]) -> None:
    model = make_model()
    model.network.embedding.weight[STOP] = 0
    traces = translate(model, SENTENCES)
    assert [len(trace.target) for trace in traces] == [limit(len(trace.source)) for trace in traces]
    assert all(trace.stop == "limit" and END not in trace.target for trace in traces)
