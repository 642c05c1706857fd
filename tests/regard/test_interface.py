import copy
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import regard
from benchmarks.server import ROOT
from regard.model.checkpoint import Pretrained
from regard.model.decoding.sampling import sample
from regard.model.decoding.token_sampling import SamplingSettings
from regard.model.input_error import InputError
from regard.model.translate import AHEAD
from regard.model.translate import translate as greedy
from regard.model.words import normalise
from tests.support.run_command import call

anything: Any = regard  # as no type checker lets it be called
SENTENCES = ["I love you.", "She bought a red car.", "", "The boy sees the old house."]


def test_everything_public_is_there_and_described() -> None:
    for name in regard.__all__:
        assert getattr(regard, name).__doc__ or name == "Hook", name  # a type alias has none
    with pytest.raises(AttributeError, match="no attribute 'tanslate'"):
        regard.__getattr__("tanslate")


def test_the_shipped_models_are_listed_the_default_first() -> None:
    listed = regard.models()
    assert listed[0].name == "en-fr"
    assert {model.name for model in listed} == {path.parent.name for path in ROOT.glob("pretrained/*/config.json")}
    named = {model.name: model for model in listed}
    assert {name: named[name].network for name in get_args(regard.Transformers)} == {
        name: model.network for name, model in named.items() if model.network == "transformer"
    }
    assert {*get_args(regard.Recurrent), *get_args(regard.Transformers)} == named.keys()
    assert named["en-fr-transformer"].network == "transformer"
    assert named["en-fr"].languages == ("en", "fr")
    assert named["en-fr"].bytes == (ROOT / "pretrained/en-fr/model.safetensors").stat().st_size


def test_a_model_is_loaded_by_name_or_by_path() -> None:
    by_name, by_path = regard.load("reverse-gru"), regard.load(ROOT / "pretrained" / "reverse-gru")
    assert by_name.fingerprint == by_path.fingerprint
    assert regard.translate(regard.load("reverse-transformer"), "1 2 3").text == "3 2 1"


def test_a_string_gives_a_trace_and_a_list_gives_a_list(tiny_model: Pretrained) -> None:
    one, several = regard.translate(tiny_model, SENTENCES[0]), regard.translate(tiny_model, SENTENCES)
    assert one.text == several[0].text
    assert [trace.alignment.source.text for trace in several] == SENTENCES
    np.testing.assert_allclose(one.weights, several[0].weights, atol=1e-5)


def test_beam_sample_and_align_are_those_of_the_command_line(tiny_model: Pretrained, tmp_path: Path) -> None:
    model, sentence = ("--model", str(tiny_model.folder)), SENTENCES[1]
    best, nothing = regard.beam(tiny_model, [sentence, ""], 3)
    assert call("translate", *model, "--beam", "3", sentence)[1].decode() == f"{normalise(best.text, 'fr')}\n"
    assert nothing.text == ""
    drawn = regard.sample(tiny_model, sentence, 2, seed=3)
    assert [one.text for one in drawn] == [
        one.trace.text for one in sample(tiny_model, sentence, SamplingSettings(samples=2, seed=3))
    ]
    sides = {"source": "the cat sees", "target": "le chat voit"}
    for side, line in sides.items():
        (tmp_path / side).write_text(f"{line}\n", encoding="utf-8")
    files = [text for side in sides for text in (f"--{side}", str(tmp_path / side))]
    for reading in ("weights", "posterior", "posterior-hmm"):
        (links,) = regard.align(tiny_model, [sides["source"]], [sides["target"]], reading)
        told = call("align", *model, *files, "--reading", reading)[1].decode().strip()
        assert told == " ".join(f"{source}-{target}" for source, target in links)
    with pytest.warns(regard.InputWarning, match="item 0 has more than 200 tokens"):
        assert regard.align(tiny_model, "cat " * 300, "chat") == []


@pytest.mark.parametrize("batch_size", [1, 2, 32])
def test_a_stream_gives_what_one_by_one_gives_in_order(tiny_model: Pretrained, batch_size: int) -> None:
    many = [sentence for sentence in SENTENCES for _ in range(3 + AHEAD)]
    empty = regard.force(tiny_model, "", "")
    streamed = list(regard.stream(tiny_model, iter(many), batch_size=batch_size, as_typed=True))
    for sentence, trace in zip(many, streamed, strict=True):
        alone = greedy(tiny_model, [sentence])[0]
        assert trace.alignment.source.text == sentence
        assert trace.text == (alone.text if sentence else "")
        np.testing.assert_allclose(trace.weights, (alone if sentence else empty).weights, atol=1e-5)


@pytest.mark.parametrize(
    ("model", "sentence", "told"),
    [
        ("reverse-gru", "3 2 99 é 99", "the model does not know “99”, “é”; it knows 0 to 9"),
        ("", "je suis content de te voir", "This does not look like English; it is read as typed."),
        ("", "I lo\u00adve you.", "1 soft hyphen left out"),
        ("", "cat   dog   " * 150, "has more than 200 tokens or 10,000 characters"),
    ],
)
def test_what_is_not_read_as_it_stands_is_warned_about(
    model: str, sentence: str, told: str, tiny_model: Pretrained
) -> None:
    with pytest.warns(regard.InputWarning, match=rf"^item 1:? {re.escape(told)}"):
        regard.translate(regard.load(model) if model else tiny_model, ["", sentence])


def test_a_bad_item_is_named_and_the_rest_goes_on(tiny_model: Pretrained) -> None:
    with pytest.warns(regard.InputWarning) as told:
        traces = regard.translate(tiny_model, ["I love you.", None, "x" * 3000, "I love you."])  # type: ignore[list-item]
    assert [str(warning.message).split(" ")[:2] for warning in told] == [["item", "1"], ["item", "2"]]
    assert str(told[0].message) == "item 1 is a NoneType, not a string; it is left empty"
    assert {warning.filename for warning in told} == {__file__}
    assert traces[0].text == traces[3].text
    assert (traces[1].alignment.source.text, traces[1].text, traces[1].stop) == ("", "", "forced")
    assert 0 < len(traces[2].source) <= 201


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (lambda model: anything.translate(model, None), "the text is a NoneType; it must be a string or a list"),
        (lambda model: anything.translate(model, b"I love you."), "the text is a bytes"),
        (lambda model: anything.translate("en-fr", "I love you."), r"the model is a str; regard\.load"),
        (lambda model: anything.what_if(model, "I", {"hidden": [1]}), r"a dict; regard\.Intervention"),
        (lambda model: regard.what_if(model, ["", "I"], regard.Intervention(hidden=(5,))), "^item 1: source token 5"),
        (lambda _: regard.load(""), "the name of the model is empty"),
        (lambda _: regard.load("en-de"), "en-de is not a model folder.*en-fr, .*reverse-gru"),
        (lambda model: anything.run(model, "I love you.", {"state": 3}), "state is an int; it must be a function"),
        (lambda model: anything.run(model, "I love you.", None), "hooks is a NoneType; it must be a dictionary"),
        (lambda model: next(anything.stream(model, "I love you.")), "a str; stream takes many strings"),
        (lambda model: next(anything.stream(model, b"I love you.")), "a bytes; stream takes many strings"),
        (lambda model: next(anything.stream(model, None)), "a NoneType; stream takes many strings"),
        (lambda model: next(anything.stream(model, ["I"], batch_size="4")), "batch_size is '4'; it must be a whole"),
        (lambda model: anything.beam(model, "I", "3"), "width is '3'; it must be a whole number"),
        (lambda model: anything.sample(model, "I", 2.5), "samples is 2.5; it must be a whole number"),
        (lambda model: anything.export("en-fr", "page.html"), r"the model is a str; regard\.load"),
        (lambda model: anything.show(None, ["I"], ["je"]), "weights must be finite numbers: a matrix, or"),
        (lambda model: next(anything.stream(model, ["I"], record="all")), "record is 'all'; accepted are 'everything'"),
    ],
)
def test_a_wrong_argument_is_told_what_is_wanted(
    tiny_model: Pretrained, asked: Callable[[Any], Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        asked(tiny_model)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_no_number_of_a_result_or_of_its_copy_can_be_written(
    copied: Callable[[Any], Any], tiny_model: Pretrained
) -> None:
    trace = regard.translate(tiny_model, "I love you.")
    shown = regard.show([[0.9, 0.1]], ["I", "see"], ["je"], scores=np.log([[0.9, 0.1]]), probabilities=[0.5])
    for one in (lambda value: value, copied):
        slim, given = one(regard.WeightTrace.of(trace)), one(shown)
        arrays = [slim.weights, slim.log_probabilities, one(trace).weights, one(trace.alignment).weights]
        arrays += [given.alignment.weights, given.heads["cross"], given.scores["cross"], given.probabilities]
        assert not any(array.flags.writeable for array in arrays)
