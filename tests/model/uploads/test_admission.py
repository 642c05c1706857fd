import json
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.checkpoint import CONFIG, DEFAULT, TOKENIZER, WEIGHTS, shipped
from regard.model.doubt.chance import DOUBT
from regard.model.input_error import InputError
from regard.model.principal_axes import AXES
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.translate import translate
from regard.model.uploads import admission
from regard.model.uploads.admission import ACCEPTED, MOST_PARAMETERS, admit, checked
from tests.support.model_zips import altered, packed
from tests.support.other_language_models import digits, write_transformer


def changed(content: bytes, **otherwise: Any) -> bytes:
    return json.dumps({**json.loads(content), **otherwise}).encode()


def test_a_zip_of_a_model_folder_becomes_that_model(contents: dict[str, bytes], tmp_path: Path) -> None:
    model = admit(packed(contents), tmp_path / "new")
    assert {path.name: path.read_bytes() for path in model.folder.iterdir()} == contents
    assert len(translate(model, ["2 5 9"])[0].weights[0]) == 4
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_the_three_files_are_enough_with_a_folder_or_without(contents: dict[str, bytes], tmp_path: Path) -> None:
    three = {name: contents[name] for name in (CONFIG, TOKENIZER, WEIGHTS)}
    assert checked(packed(three, top="")) == checked(packed(three)) == three


@pytest.mark.parametrize("name", [DEFAULT, "en-fr-transformer"])
def test_a_model_that_ships_would_be_admitted(name: str) -> None:
    found = {path.name: path.read_bytes() for path in shipped(name).iterdir()}
    brought = ACCEPTED.keys() - ({AXES, DOUBT} if name == "en-fr-transformer" else set())
    assert set(checked(packed(found))) == brought


def test_a_transformer_is_admitted_like_any_other(tmp_path: Path) -> None:
    write_transformer(tmp_path / "mine", digits())
    contents = {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()}
    model = admit(packed(contents), tmp_path / "new")
    assert isinstance(model, PretrainedTransformer)
    assert {path.name: path.read_bytes() for path in model.folder.iterdir()} == contents
    many = altered(contents, CONFIG, lambda content: changed(content, heads=16, embedding=32, decoder_layers=5))
    with pytest.raises(InputError, match="its layers have 80 heads together; up to 32"):
        checked(many)
    wide = altered(contents, CONFIG, lambda content: changed(content, feed_forward=10**5))
    with pytest.raises(InputError, match="feed_forward is 100,000; up to 8,192"):
        checked(wide)


def test_what_finder_adds_to_a_zip_is_passed_by(contents: dict[str, bytes]) -> None:
    zipped = packed({**{f"mine/{name}": each for name, each in contents.items()}, "__MACOSX/mine/._config.json": b"x",
                     "mine/.DS_Store": b"x", "mine\\Thumbs.db": b"x"}, top="")  # fmt: skip
    assert checked(zipped) == contents


def test_a_folder_that_cannot_be_loaded_after_all_is_taken_away_again(
    contents: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Path) -> None:
        raise ValueError("no room")

    monkeypatch.setattr(admission, "load_any", fail)
    with pytest.raises(ValueError, match="no room"):
        admit(packed(contents), tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"vocabulary": 10**9}, "1,000,000,000"), ({"state": 10**6}, "up to 2,048"), ({"embedding": 0}, "embedding"),
        ({"vocabulary": 65536, "embedding": 2048}, f"{MOST_PARAMETERS:,}"), ({"dropout": 2}, "dropout"),
        ({"score": "psychic"}, "psychic"), ({"score": []}, "[]"), ({"state": 10}, "annotations"),
        ({"languages": ["<b>", "fr"]}, "'<b>'"), ({"languages": ["e", 1]}, "languages"),
        ({"languages": 3}, "languages is 3"),
        ({"more": 1}, "more"), ({"languages": ["x" * 40, "y"]}, "short names"),
    ],
)  # fmt: skip
def test_a_config_beyond_the_limits_is_refused_before_anything_is_made_of_it(
    entries: dict[str, Any], told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, CONFIG, lambda content: changed(content, **entries)), CONFIG, told)


def vocabulary(edit: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        given = json.loads(content)
        edit(given["model"])
        return json.dumps(given).encode()

    return change


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda model: model.update(type="WordPiece"), "byte-pair"),
        (lambda model: model.update(byte_fallback=False), "byte-pair"),
        (lambda model: model.update(continuing_subword_prefix="##"), "byte-pair"),
        (lambda model: model.update(merges=[["a", "b"]]), "not a tokenizer file"),
        (lambda model: model.update(merges=[1]), "not a tokenizer file"),
        (lambda model: model["vocab"].pop(" 9"), "268 entries, config.json says 269"),
        (lambda model: model["vocab"].update({" 9": 4_000_000_000}), "vocabulary"),
        (lambda model: model["vocab"].update({" 9": True}), "not a tokenizer file"),
        (lambda model: (model["vocab"].pop(" 9"), model["vocab"].update({"x" * 999: 268})), "too long"),
        (lambda model: (model["vocab"].pop(" 9"), model["vocab"].update({"a b": 268})), "blank"),
        (lambda model: (model["vocab"].pop(" 9"), model["vocab"].update({"\ud800": 268})), "surrogates"),
        (lambda model: model["vocab"].update({"<s>": 2, "</s>": 1}), "does not begin with"),
    ],
)
def test_another_kind_of_vocabulary_is_refused(
    edit: Callable[[dict[str, Any]], object], told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, TOKENIZER, vocabulary(edit)), TOKENIZER, told)


@settings(max_examples=150)
@given(data=st.data())
def test_whatever_is_cut_off_or_flipped_it_is_the_same_model_or_a_value_error(
    data: st.DataObject, contents: dict[str, bytes]
) -> None:
    zipped = bytearray(packed(contents))
    places = st.integers(0, len(zipped) - 1) | st.integers(max(0, len(zipped) - 900), len(zipped) - 1)
    for place in data.draw(st.lists(places, min_size=1, max_size=4)):
        zipped[place] ^= 1 << data.draw(st.integers(0, 7))
    kept = data.draw(st.just(len(zipped)) | st.integers(0, len(zipped)))
    try:
        found = checked(bytes(zipped[:kept]))
    except ValueError:
        return
    assert found.items() <= contents.items()


@settings(max_examples=150)
@given(data=st.data())
def test_whatever_stands_in_a_file_it_is_admitted_or_a_value_error(
    data: st.DataObject, contents: dict[str, bytes]
) -> None:
    name = data.draw(st.sampled_from(sorted(contents)))
    spoiled = bytearray(contents[name])
    for place in data.draw(st.lists(st.integers(0, min(3000, len(spoiled) - 1)), min_size=1, max_size=5)):
        spoiled[place] = data.draw(st.integers(0, 255))
    with suppress(ValueError):
        checked(packed({**contents, name: bytes(spoiled)}))
