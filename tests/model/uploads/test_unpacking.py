"""An uploaded zip is unpacked within limits, or refused with the reason, nothing loaded and nothing on disk."""

import stat
import struct
import zipfile
from collections.abc import Callable

import pytest

from regard.model.checkpoint import CONFIG, TOKENIZER, WEIGHTS
from regard.model.uploads.admission import ACCEPTED
from tests.support.model_zips import altered, entry, flagged, packed


@pytest.mark.parametrize(
    ("cut", "told"),
    [
        (lambda _: b"\x1f\x8b gzip", "not a zip"),
        (lambda _: b"a text", "not a zip"),
        (lambda _: b"", "the file is empty"),
        (lambda zipped: zipped[:2], "cut short"),
        (lambda zipped: zipped[:100], "cut short"),
        (lambda zipped: zipped[:-1], "cut short"),
    ],
)
def test_what_is_no_whole_zip_is_refused(
    cut: Callable[[bytes], bytes], told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(cut(packed(contents)), told, "as one ordinary zip")


def test_a_bomb_is_refused_by_what_it_would_grow_to(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    refused(packed({**contents, "README.md": b" " * 2**18}), "README.md", "over 200 times its size in the zip")


def test_a_bomb_that_lies_about_its_size_is_not_unpacked_further(
    contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    zipped = packed({**contents, "README.md": b" " * 2**24})
    refused(flagged(zipped, "mine/README.md", 24, struct.pack("<L", 1000)), "cannot be read to its end")


def test_a_zip_with_thousands_of_entries_is_refused_before_they_are_read(refused: Callable[..., None]) -> None:
    refused(packed({f"{number}.json": b"" for number in range(2000)}), "lists its entries", "up to 65,536")


def having(**attributes: object) -> Callable[[zipfile.ZipInfo], None]:
    def change(info: zipfile.ZipInfo) -> None:
        for name, value in attributes.items():
            setattr(info, name, value)

    return change


def named(name: str) -> Callable[[zipfile.ZipInfo], None]:
    return having(filename=name)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (named("/config.json"), "'/config.json' does not stay in the folder"),
        (named("mine/../../config.json"), "does not stay in the folder"),
        (named("C:\\config.json"), "does not stay in the folder"),
        (named("..\\config.json"), "does not stay in the folder"),
        (having(create_system=3, external_attr=(stat.S_IFLNK | 0o777) << 16), "is a link"),
        (having(create_system=3, external_attr=(stat.S_IFCHR | 0o666) << 16), "no file"),
        (having(compress_type=zipfile.ZIP_BZIP2), "method 12"),
        (named(f"mine/{TOKENIZER}"), "twice"),
        (named(f"yours/{TOKENIZER}"), "files in 'mine', 'yours'"),
        (named("mine/more/README.md"), "'mine/more'"),
        (named("mine/model.pt"), "reading a pickle can run anything"),
        (named("mine/weights.npy"), "reading a pickle can run anything"),
        (named("mine/run.sh"), f"accepted are {', '.join(ACCEPTED)}"),
    ],
)
def test_an_entry_that_is_no_plain_file_of_a_model_is_refused(
    change: Callable[[zipfile.ZipInfo], None], told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    others = {name: content for name, content in contents.items() if name != "README.md"}
    refused(entry(others, change), told)


def test_an_encrypted_entry_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    refused(flagged(packed(contents), f"mine/{CONFIG}", 8, b"\x01\x00"), CONFIG, "without a password")


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
