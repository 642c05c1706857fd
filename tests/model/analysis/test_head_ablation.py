import pytest

from regard.model.analysis.head_ablation import ablated, all_heads, gone, write_without
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.translate import translate
from tests.support.run_command import call
from tests.support.small_transformer import small_transformer

SENTENCE = "The cat."


def test_each_head_is_switched_off_alone_and_the_loss_is_that_of_the_same_words() -> None:
    model = small_transformer()
    (own,) = translate(model, [SENTENCE])
    found = ablated(model, SENTENCE)
    assert [one.head for one in found] == all_heads(model)
    assert len(found) == 12
    for one in found[::5]:
        again = what_if.translate(model, SENTENCE, Intervention(heads_off=(one.head,)))
        assert one.text == again.text
        assert (one.text == own.text) <= (one.changed == 0)
        assert write_without(model, ["Yes.", SENTENCE], one.head)[1] == again.text
    assert len({one.lost for one in found}) == 12
    forced = Intervention(tokens=tuple(enumerate(own.target_ids.tolist())), heads_off=(found[3].head,))
    kept = what_if.translate(model, SENTENCE, forced)
    assert kept.target == own.target
    assert found[3].lost == pytest.approx(own.log_probability - kept.log_probability)


def test_words_that_are_gone_are_counted_in_their_order() -> None:
    assert gone(["le", "chat", "dort"], ["le", "chat", "noir", "dort"]) == 0
    assert gone(["le", "chat", "dort"], ["dort", "le", "chat"]) == 1
    assert gone(["le", "chat", "dort"], []) == 3


def test_a_model_without_heads_is_refused_and_the_command_tells_a_line_for_each_head(
    shipped: Pretrained, transformer: PretrainedTransformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="one attention and no heads"):
        all_heads(shipped)
    folder = transformer.folder
    status, lines, told = call("heads", "--model", str(folder), SENTENCE)
    assert status == 0, told
    first, own, *rows = [line.split("\t") for line in lines.decode().splitlines()]
    assert first == ["attention", "layer", "head", "lost", "changed", "translation"]
    assert own[0] == "all"
    losses = [float(row[3]) for row in rows]
    assert losses == sorted(losses, reverse=True)
    assert len(rows) == 12
    assert told == ""
    monkeypatch.setattr("regard.model.commands.heads.ablated", lambda model, sentence: [])
    monkeypatch.setattr("regard.model.commands.heads.write", lambda model, sentences: [""])
    _, _, told = call("heads", "--model", str(folder), "I " * 300)
    most = "200 tokens or 10,000 characters"
    assert told == f"the sentence has more than {most}; its first 399 characters are translated\n"
    status, _, told = call("heads", "--model", str(folder), " ")
    assert (status, told) == (1, "regard heads: the sentence is empty; give one to translate\n")
