from collections.abc import Callable
from dataclasses import replace

import pytest

from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.seq2seq import Seq2Seq
from regard.model.training.warm_start import warm_start


def test_another_network_is_refused_by_the_options_that_differ(make_model: Callable[..., Pretrained]) -> None:
    earlier = make_model(cell="gru")
    with pytest.raises(InputError, match=r"is another network: --cell gru there and lstm here, --state 24 there and 8"):
        warm_start(Seq2Seq(replace(earlier.config, cell="lstm", state=8)), earlier)
    larger = Seq2Seq(replace(earlier.config, vocabulary=earlier.config.vocabulary + 1))
    with pytest.raises(InputError, match=r"--vocabulary \d+ there .*; --tokenizer .*tokenizer\.json has the same"):
        warm_start(larger, earlier)
