from regard.app.visitor.pickers import head_names
from regard.model.translate import translate
from regard.model.word_alignment.from_attention import CrossHead, readings
from tests.support.small_transformer import small_transformer


def test_every_head_and_mean_is_on_offer_once_in_the_order_of_the_table() -> None:
    model = small_transformer()
    (trace,) = translate(model, ["I see a cat."])
    names = head_names(model.config)
    assert list(names) == [place for place, _ in readings(trace.cross_attention)]
    assert len({*names.values()}) == len(names)
    assert names[CrossHead(1, 0)] == "layer 2, head 1"
