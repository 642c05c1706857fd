from regard.model.changes.change_text import change_texts
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.rewording import reword
from regard.model.changes.what_if import translate as changed
from regard.model.checkpoint import Pretrained
from regard.model.tokenizer import STOP
from regard.model.trace import Trace
from regard.model.translate import translate

SENTENCE = "I love you."


def texts(model: Pretrained, before: Trace, changes: Intervention) -> list[str]:
    after = changed(model, SENTENCE, changes)
    return [change.text for change in change_texts(model.tokenizer, SENTENCE, before, after)]


def test_each_kind_of_change_in_plain_words(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, [SENTENCE])[0]
    length = len(before.source)
    row = (1.0, *[0.0] * (length - 1))
    assert texts(tiny_model, before, Intervention(hidden=(length - 1,))) == ["the end of the sentence is masked"]
    assert texts(tiny_model, before, Intervention(temperature=0.5)) == ["softmax temperature 0.5"]
    assert texts(tiny_model, before, Intervention(weights=((3, row),))) == ["step 4: weights set by hand"]
    assert texts(tiny_model, before, Intervention(bonus=((3, 0, 2.0), (3, length - 1, -1.5)))) == [
        "step 4: 2 added to the score of “I”",
        "step 4: 1.5 taken from the score of the end of the sentence",
    ]
    assert texts(tiny_model, before, Intervention(words=((1, "see"),))) == ["“love” is replaced by “see”"]


def test_a_masked_word_of_several_tokens_is_one_change(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, [SENTENCE])[0]
    word_of = before.alignment.source.word_of
    several = next(word for word in word_of if word_of.count(word) > 1)
    own = tuple(place for place, word in enumerate(word_of) if word == several)
    name = before.alignment.source.words[several]
    assert texts(tiny_model, before, Intervention(hidden=own)) == [f"“{name}” is masked"]
    assert len(texts(tiny_model, before, Intervention(hidden=own[:1]))) == 1
    assert f"“{name}”" not in texts(tiny_model, before, Intervention(hidden=own[:1]))[0]


def test_a_forced_word_of_several_tokens_is_one_change(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, [SENTENCE])[0]
    written = tiny_model.tokenizer.encode("voiture", "fr").ids
    changes = Intervention(tokens=tuple(enumerate(written, start=2)))
    assert len(written) > 1
    (text,) = texts(tiny_model, before, changes)
    assert text.startswith(f"steps 3 to {2 + len(written)}: writes “voiture” instead of “")


def test_ending_the_sentence_and_writing_what_the_model_writes_are_said_as_such(tiny_model: Pretrained) -> None:
    before = translate(tiny_model, [SENTENCE])[0]
    assert texts(tiny_model, before, Intervention(tokens=((2, STOP),)))[0].startswith(
        "step 3: ends the sentence instead"
    )
    own = Intervention(tokens=((0, int(before.target_ids[0])),))
    assert texts(tiny_model, before, own)[0].endswith(", as before")


def test_a_token_that_differs_only_by_its_blank_is_not_called_as_before(tiny_model: Pretrained) -> None:
    names = [tiny_model.tokenizer.token(number) for number in range(len(tiny_model.tokenizer))]
    joined, apart = names.index("?"), names.index(" ?")
    one, other = (Intervention(tokens=((2, token),)) for token in (joined, apart))
    assert texts(tiny_model, changed(tiny_model, SENTENCE, one), other) == ["step 3: writes “?” after a blank"]
    expected = ["step 3: writes “?” without a blank before it"]
    assert texts(tiny_model, changed(tiny_model, SENTENCE, other), one) == expected


def test_taking_out_every_change_leaves_none_and_each_leaves_the_others(tiny_model: Pretrained) -> None:
    tokenizer, before = tiny_model.tokenizer, translate(tiny_model, [SENTENCE])[0]
    length = len(before.source)
    changes = Intervention(
        tokens=((1, 300), (4, 301)), weights=((2, (0.0, 1.0, *[0.0] * (length - 2))),), hidden=(0,),
        bonus=((3, 1, 1.0),), temperature=2.0,
    )  # fmt: skip
    changes = reword(tokenizer, SENTENCE, changes, 2, "the house")
    count = 7
    while changes != UNTOUCHED:
        listed = change_texts(tokenizer, SENTENCE, before, changed(tiny_model, SENTENCE, changes))
        assert len(listed) == count
        changes, count = listed[-1].without, count - 1
    assert count == 0
