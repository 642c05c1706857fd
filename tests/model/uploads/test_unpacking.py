"""An uploaded zip is unpacked within limits, or refused with the reason, nothing loaded and nothing on disk."""

import pickle
import stat
import struct
import zipfile
from collections.abc import Callable

import pytest

from regard.model.checkpoint import CONFIG, TOKENIZER, WEIGHTS
from regard.model.readable import MODEL_BYTES
from regard.model.uploads.admission import ACCEPTED
from tests.support.model_zips import altered, entry, flagged, packed


@pytest.mark.parametrize("zipped", [b"\x1f\x8b gzip", b"%PDF-1.7 " * 99, b"a text", b"\x89PNG\r\n\x1a\n" * 9])
def test_what_is_no_zip_is_refused(zipped: bytes, refused: Callable[..., None]) -> None:
    refused(zipped, "not a zip", "as one ordinary zip")


def test_an_empty_file_is_refused_as_empty(refused: Callable[..., None]) -> None:
    refused(b"", "the file is empty", "as one ordinary zip")


@pytest.mark.parametrize("length", [2, 4, 100, -1])
def test_a_zip_that_is_cut_is_refused_as_cut(
    length: int, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(packed(contents)[:length], "cut short", "pack the model's folder")


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
    refused(zipped, f"{len(ACCEPTED) * 2**25:,} bytes", f"{MODEL_BYTES:,}")


def test_a_file_larger_than_its_kind_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    refused(altered(contents, CONFIG, lambda content: content + bytes(range(256)) * 80), CONFIG, "up to 16,384")


def test_a_zip_with_thousands_of_entries_is_refused_before_they_are_read(refused: Callable[..., None]) -> None:
    refused(packed({f"{number}.json": b"" for number in range(2000)}), "lists its entries", "up to 65,536")


@pytest.mark.parametrize(
    "name", ["/config.json", "../config.json", "mine/../../config.json", "C:\\config.json", "..\\config.json"]
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


def test_two_folders_with_a_model_each_are_refused_as_two_folders(
    contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    def rename(info: zipfile.ZipInfo) -> None:
        info.filename = f"yours/{TOKENIZER}"

    refused(entry(contents, rename), "files in 'mine', 'yours'", "all in one folder")


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
