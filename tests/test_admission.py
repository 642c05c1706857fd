"""A stranger's zip is a model of ours, or it is refused with the reason, nothing is loaded and nothing is on disk."""

import io
import json
import pickle
import stat
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save

from model import admission
from model.admission import ACCEPTED, MOST_PARAMETERS, admit, checked
from model.checkpoint import CONFIG, TOKENIZER, WEIGHTS, shipped
from model.snapshots import SNAPSHOTS
from model.translate import translate
from model.unpacking import LARGEST
from tests.zips import altered, entry, files, flagged, packed

NAMED = "decoder.W_c.weight"


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return files(tmp_path_factory.mktemp("good") / "mine")


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were loaded."""
    found: list[Path] = []
    own = admission.load
    monkeypatch.setattr(admission, "load", lambda folder: found.append(folder) or own(folder))
    return found


@pytest.fixture
def refused(tmp_path: Path, loaded: list[Path]) -> Callable[..., None]:
    def check(zipped: bytes, *told: str) -> None:
        place = tmp_path / "scratch" / "new"
        with pytest.raises(ValueError, match=r".") as error:
            admit(zipped, place)
        message = str(error.value)
        assert all(part in message for part in told), message
        assert "\n" not in message
        assert len(message) < 600
        assert loaded == []
        assert not place.exists()
        assert not (tmp_path / "scratch").exists()

    return check


def changed(content: bytes, **otherwise: Any) -> bytes:
    return json.dumps({**json.loads(content), **otherwise}).encode()


def header(content: bytes, edit: Callable[[dict[str, Any]], object]) -> bytes:
    """The weights with another header."""
    length = int.from_bytes(content[:8], "little")
    given = json.loads(content[8 : 8 + length])
    edit(given)
    text = json.dumps(given).encode()
    return len(text).to_bytes(8, "little") + text + content[8 + length :]


def tensors(content: bytes, edit: Callable[[dict[str, np.ndarray]], object]) -> bytes:
    found = {name: array.copy() for name, array in load(content).items()}
    edit(found)
    return save(found)


# What is admitted


def test_a_zip_of_a_model_folder_becomes_that_model(contents: dict[str, bytes], tmp_path: Path) -> None:
    model = admit(packed(contents), tmp_path / "new")
    assert {path.name: path.read_bytes() for path in model.folder.iterdir()} == contents
    assert len(translate(model, ["2 5 9"])[0].weights[0]) == 4
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_the_three_files_are_enough_with_a_folder_or_without(contents: dict[str, bytes], tmp_path: Path) -> None:
    three = {name: contents[name] for name in (CONFIG, TOKENIZER, WEIGHTS)}
    assert checked(packed(three, top="")) == checked(packed(three)) == three


def test_a_model_that_ships_would_be_admitted(tmp_path: Path) -> None:
    found = {path.name: path.read_bytes() for path in shipped().iterdir()}
    assert set(checked(packed(found))) == set(ACCEPTED)


def test_what_finder_adds_to_a_zip_is_passed_by(contents: dict[str, bytes]) -> None:
    zipped = packed({**{f"mine/{name}": each for name, each in contents.items()}, "__MACOSX/mine/._config.json": b"x",
                     "mine/.DS_Store": b"x"}, top="")  # fmt: skip
    assert checked(zipped) == contents


def test_float32_weights_are_admitted(contents: dict[str, bytes], tmp_path: Path) -> None:
    wide = save({name: array.astype(np.float32) for name, array in load(contents[WEIGHTS]).items()})
    model = admit(packed({**contents, WEIGHTS: wide}), tmp_path / "new")
    assert translate(model, ["2 5"])[0].weights.dtype == np.float32


def test_checking_makes_no_random_numbers_and_no_tensors_of_the_asked_size(contents: dict[str, bytes]) -> None:
    before = torch.get_rng_state()
    checked(packed(contents))
    assert torch.equal(torch.get_rng_state(), before)


def test_a_folder_that_cannot_be_loaded_after_all_is_taken_away_again(
    contents: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Path) -> None:
        raise ValueError("no room")

    monkeypatch.setattr(admission, "load", fail)
    with pytest.raises(ValueError, match="no room"):
        admit(packed(contents), tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


# The zip


@pytest.mark.parametrize("zipped", [b"", b"PK", b"PK\x05\x06", b"\x1f\x8b gzip", b"%PDF-1.7 " * 99])
def test_what_is_no_zip_is_refused(zipped: bytes, refused: Callable[..., None]) -> None:
    refused(zipped, "no zip")


def test_a_bomb_is_refused_by_what_it_would_grow_to(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    refused(packed({**contents, "README.md": b" " * 2**18}), "README.md", "over 200 times its size in the zip")


def test_a_bomb_that_lies_about_its_size_is_not_unpacked_further(
    contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    zipped = packed({**contents, "README.md": b" " * 2**24})
    refused(flagged(zipped, "mine/README.md", 24, struct.pack("<L", 1000)), "cannot be read to its end")


def test_several_files_that_are_too_large_together_are_refused(refused: Callable[..., None]) -> None:
    zipped = packed(dict.fromkeys(ACCEPTED, b"x"))
    for name in ACCEPTED:
        zipped = flagged(zipped, f"mine/{name}", 20, struct.pack("<LL", 2**23, 2**25))
    refused(zipped, f"{8 * 2**25:,} bytes", f"{LARGEST:,}")


def test_a_file_larger_than_its_kind_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    refused(altered(contents, CONFIG, lambda content: content + bytes(range(256)) * 80), CONFIG, "up to 16,384")


def test_a_zip_with_thousands_of_entries_is_refused_before_they_are_read(refused: Callable[..., None]) -> None:
    refused(packed({f"{number}.json": b"" for number in range(2000)}), "lists its entries", "only a few files")


@pytest.mark.parametrize(
    "name", ["/config.json", "../config.json", "mine/../../config.json", "C:\\config.json", "mine\\config.json"]
)
def test_a_path_that_leaves_its_folder_is_refused(
    name: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    def rename(info: zipfile.ZipInfo) -> None:
        info.filename = name

    refused(entry(contents, rename), repr(name)[1:-1], "does not stay in the folder")


def test_a_link_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    def link(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16

    refused(entry(contents, link, b"/etc/passwd"), CONFIG, "is a link")


def test_a_device_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    def device(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, (stat.S_IFCHR | 0o666) << 16

    refused(entry(contents, device), CONFIG, "no file")


def test_an_encrypted_entry_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    refused(flagged(packed(contents), f"mine/{CONFIG}", 8, b"\x01\x00"), CONFIG, "without a password")


def test_another_way_of_packing_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    def squeeze(info: zipfile.ZipInfo) -> None:
        info.compress_type = zipfile.ZIP_BZIP2

    refused(entry(contents, squeeze), CONFIG, "method 12", "deflate")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_comes_twice_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    def rename(info: zipfile.ZipInfo) -> None:
        info.filename = f"mine/{TOKENIZER}"

    refused(entry(contents, rename), TOKENIZER, "twice")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "state.pkl", "model.ckpt", "weights.npy"])
def test_what_may_be_pickled_is_refused_with_the_reason(
    name: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(packed({**contents, name: pickle.dumps(print)}), name, "pickle", "safetensors")


@pytest.mark.parametrize("name", ["more.zip", "model.tar.gz", "model.7z"])
def test_an_archive_in_the_archive_is_refused(
    name: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(packed({**contents, name: packed(contents)}), name, "archive in the archive")


def test_any_other_file_is_refused_with_what_is_accepted(
    contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(packed({**contents, "run.sh": b"rm"}), "run.sh", *ACCEPTED)


def test_files_in_several_folders_are_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    elsewhere = {name: content for name, content in contents.items() if name != "README.md"} | {"more/README.md": b""}
    refused(packed(elsewhere), "'mine/more'")


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_a_half_written_folder_is_refused_by_what_is_missing(
    name: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(packed({other: content for other, content in contents.items() if other != name}), f"{name} missing")


@pytest.mark.parametrize("name", [name for name in ACCEPTED if name != "README.md"])
def test_a_file_that_was_cut_short_is_refused_by_its_name(
    name: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, name, lambda content: content[: len(content) // 2]), name)


# The config


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"vocabulary": 10**9}, "1,000,000,000"), ({"state": 10**6}, "up to 2,048"), ({"embedding": 0}, "embedding"),
        ({"vocabulary": 65536, "embedding": 2048}, f"{MOST_PARAMETERS:,}"), ({"dropout": 2}, "dropout"),
        ({"score": "psychic"}, "psychic"), ({"score": []}, "[]"), ({"state": 10}, "annotations"),
        ({"languages": ["<b>", "fr"]}, "'<b>'"), ({"languages": ["e", 1]}, "languages"), ({"languages": 3}, "int"),
        ({"more": 1}, "more"), ({"languages": ["x" * 40, "y"]}, "short names"),
    ],
)  # fmt: skip
def test_a_config_beyond_the_limits_is_refused_before_anything_is_made_of_it(
    entries: dict[str, Any], told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, CONFIG, lambda content: changed(content, **entries)), CONFIG, told)


@pytest.mark.parametrize("content", [b"[]", b"3", b'"x"', b"{}", b"\xff\xfe", b"[" * 9000, b'{"dropout": NaN}'])
def test_a_config_that_is_none_is_refused(
    content: bytes, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(packed({**contents, CONFIG: content}), CONFIG)


# The vocabulary


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
        (lambda model: model.update(merges=[["a", "b"]]), "merges"),
        (lambda model: model.update(merges=[1]), "merges"),
        (lambda model: model.update(vocab=[]), "vocabulary"),
        (lambda model: model["vocab"].pop(" 9"), "268 entries, config.json says 269"),
        (lambda model: model["vocab"].update({" 9": 4_000_000_000}), "numbered"),
        (lambda model: model["vocab"].update({" 9": True}), "numbered"),
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


# The weights


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_no_number_is_refused_with_its_tensor(
    value: float, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    def spoil(content: bytes) -> bytes:
        return tensors(content, lambda found: found[NAMED].reshape(-1)[-1:].fill(value))

    refused(altered(contents, WEIGHTS, spoil), WEIGHTS, NAMED, "NaN or infinity")


def test_a_value_that_would_overflow_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    def spoil(content: bytes) -> bytes:
        return tensors(content, lambda found: found.update({NAMED: np.full_like(found[NAMED], 1e6, np.float32)}))

    refused(altered(contents, WEIGHTS, spoil), NAMED, "±65,504")


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda found: found.update({NAMED: np.zeros((3, 2), np.float16)}), f"{NAMED} is (3, 2)"),
        (lambda found: found.update({"backdoor": np.zeros(1, np.float16)}), "with backdoor"),
        (lambda found: found.pop(NAMED), f"without {NAMED}"),
        (lambda found: found.update({NAMED: found[NAMED].astype(np.int8)}), "I8; F16 and F32 are accepted"),
        (lambda found: found.update({NAMED: found[NAMED].astype(np.float64)}), "F64"),
    ],
)
def test_other_tensors_than_the_config_s_are_refused(
    edit: Callable[[dict[str, np.ndarray]], object], told: str, contents: dict[str, bytes],
    refused: Callable[..., None],
) -> None:  # fmt: skip
    refused(altered(contents, WEIGHTS, lambda content: tensors(content, edit)), WEIGHTS, told)


@pytest.mark.parametrize(
    "edit",
    [
        lambda found: found[NAMED].update(data_offsets=[0, 2**39]),
        lambda found: found[NAMED].update(data_offsets=[-4, 10]),
        lambda found: found[NAMED].update(data_offsets=[0]),
        lambda found: found[NAMED].update(data_offsets=found["embedding.weight"]["data_offsets"]),
        lambda found: found[NAMED].update(shape=[2**33, 2**33]),
        lambda found: found[NAMED].update(shape=["a"]),
        lambda found: found[NAMED].update(dtype=["F16"]),
        lambda found: found[NAMED].update(dtype="BF16", shape=[True]),
        lambda found: found.update({NAMED: 7}),
    ],
)
def test_a_header_that_does_not_tell_of_the_numbers_behind_it_is_refused(
    edit: Callable[[dict[str, Any]], object], contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, WEIGHTS, lambda content: header(content, edit)), WEIGHTS)


def test_two_tensors_in_one_place_are_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    def share(found: dict[str, Any]) -> None:
        one, other = (found[f"encoder.{way}.rnn.bias_hh_l0"] for way in ("forwards", "backwards"))
        one.update(data_offsets=other["data_offsets"])

    refused(altered(contents, WEIGHTS, lambda content: header(content, share)), WEIGHTS, "begins at byte")


def test_a_header_of_a_hundred_gigabytes_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    refused(altered(contents, WEIGHTS, lambda content: struct.pack("<Q", 10**11) + content[8:]), WEIGHTS)


def test_pickled_weights_under_a_false_name_are_refused(
    contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    pickled = io.BytesIO()
    torch.save({NAMED: torch.zeros(2)}, pickled)
    refused(packed({**contents, WEIGHTS: pickled.getvalue()}), WEIGHTS)


# The records


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("scores.json", b'{"format": 2}', "format"),
        ("scores.json", b'{"format": 1, "tests": []}', "tests"),
        ("scores.json", b'{"format": 1, "tests": {"a": {"searches": {"g": {"by_length": [{"words": 3}]}}}}}', "words"),
        ("scores.json", b'{"format": 1, "attention": {"sentences": 1}}', "steps"),
        ("scores.json", b'{"format": 1, "alignments": {"overall": {"output": {"aer": 7}}}}', "aer"),
        ("scores.json", b'{"format": 1, "task": {"lengths": [1, 8], "by_length": [{"length": 3}]}}', "share"),
        ("scores.json", b'{"format": 1, "x": NaN}', "NaN"),
        ("scores.json", b'{"format": 1, "tests": {"\\ud800": {}}}', "surrogates"),
        ("scores.json", b'{"format": 1, "x": ' + b"[" * 50 + b"]" * 50 + b"}", "deeper than 30"),
        ("training.json", b'{"format": 1, "source_tokens": {"99th percentile": "many"}}', "99th percentile"),
        ("history.csv", b"step,loss\n1,2\n", "update"),
        ("history.csv", b"update,loss\n1,inf\n", "line 2"),
        ("history.csv", b"update,loss\n1,2,3\n", "line 2"),
        ("history.csv", b"", "breaks off"),
        ("history.csv", b"update,loss\n1,2\n3,", "breaks off"),
        ("README.md", b"\xff", "UTF-8"),
        ("README.md", b"a\x1b[2Jb", "U+001B"),
    ],
)
def test_records_of_another_form_are_refused(
    name: str, content: bytes, told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(packed({**contents, name: content}), name, told)


def arrays(content: bytes, **otherwise: Any) -> bytes:
    """The snapshots with other arrays."""
    with np.load(io.BytesIO(content)) as file:
        found = {name: file[name] for name in file.files}
    changed_file = io.BytesIO()
    np.savez_compressed(changed_file, allow_pickle=True, **found | otherwise)
    return changed_file.getvalue()


def with_array(content: bytes, name: str, array: bytes) -> bytes:
    """The snapshots with the bytes of one array exchanged."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        found = {entry: archive.read(entry) for entry in archive.namelist()}
    return packed({**found, name: array}, top="")


def promising(shape: tuple[int, ...], descr: str) -> bytes:
    """The header of an array, with nothing behind it."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda content: arrays(content, updates=np.array([print, None])), "nothing pickled"),
        (lambda content: arrays(content, updates=np.array([5, 5])), "order of their updates"),
        (lambda content: arrays(content, weights_0=np.full((2, 3, 3), np.nan, np.float32)), "add up to 1"),
        (lambda content: arrays(content, weights_0=np.full((2, 0, 3), 1, np.float32)), "add up to 1"),
        (lambda content: arrays(content, log_probabilities=np.full((2, 1), 1e9)), "at most 0"),
        (lambda content: arrays(content, more=np.zeros(3)), "more.npy"),
        (lambda content: arrays(content, sources=np.array(["a"] * 5)), "no snapshots"),
        (lambda content: with_array(content, "updates.npy", promising((10**12,), "<f8")), "another size"),
        (lambda content: with_array(content, "updates.npy", promising((2,), "|O")), "nothing pickled"),
        (lambda content: with_array(content, "updates.npy", b"\x93NUMPY\x09\x09 and so on"), "header"),
        (lambda content: with_array(content, "updates.npy", pickle.dumps(print)), "header"),
        (lambda content: with_array(content, "updates.npy", b"\0" * 2**23 + b"x"), "up to 8,388,608"),
        (lambda content: pickle.dumps(print), "no zip"),
    ],
)
def test_snapshots_that_are_none_are_refused(
    change: Callable[[bytes], bytes], told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, SNAPSHOTS, change), SNAPSHOTS, told)


# Whatever else


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
