from regard.model.changes.what_if import translate
from regard.model.checkpoint import WEIGHTS, Pretrained
from regard.pretrained.recipe.node_engine import translated


def test_the_pages_engine_translates_in_node_as_pytorch_does(tiny_model: Pretrained) -> None:
    sentences = ["Do you see the old house?", "Wojciechowska 😀 </s>"]
    written = list(translated(tiny_model, (tiny_model.folder / WEIGHTS).read_bytes(), sentences))
    assert written == [translate(tiny_model, sentence).text for sentence in sentences]
