"""Unpacking of an uploaded zip: a few files in memory, or an InputError that names the refused part.

Nothing is written to disk. The zip's directory is checked first; the unpacked bytes are counted again, because the
directory may be false. Features that could make Python read endlessly are refused: methods other than deflate, zip64,
more entries than a model can have.
"""

import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from regard.model.input_error import InputError
from regard.model.readable import MODEL_BYTES

REPACK = "pack the model's folder as one ordinary zip, without a comment"

_START = b"PK"  # the start of every zip, its inventor's initials
_END = b"PK\x05\x06"  # the end of a zip: a record of 22 bytes, with the size of the list of entries at its byte 12
_END_SIZE, _ZIP64_LOCATOR = 22, b"PK\x06\x07"
_LONGEST_LIST = 2**16  # bytes: hundreds of entries
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_PICKLED = re.compile(r"\.(bin|pt|pth|pkl|pickle|ckpt|joblib|npy)$", re.IGNORECASE)
_PASSED_OVER = re.compile(  # files of macOS's and Windows' folders, and a model's memory of its training; never opened
    r"(^|/)(__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|(memory|occurrences)\.safetensors$)", re.IGNORECASE
)


def unpack(packed: bytes, allowed: Mapping[str, int], ratio: int) -> dict[str, bytes]:
    """Return the files of a zip by name, in the order of `allowed`, which gives the most bytes of each name.

    All files may be in one folder; none may unpack to over `ratio` times its packed size. Raises InputError naming the
    entry, the error and the accepted values.
    """
    archive = directory(packed)
    entries = _named(archive.infolist(), allowed, ratio)
    for name, entry in entries.items():
        if entry.file_size > allowed[name]:
            raise InputError(
                f"{_quoted(entry.orig_filename)} has {entry.file_size:,} bytes; up to {allowed[name]:,} are accepted"
            )
    return {name: read_entry(archive, entries[name]) for name in allowed if name in entries}


def directory(packed: bytes, advice: str = REPACK) -> ZipFile:
    """Open a zip in memory and read its directory, which must be short, because Python reads it as a whole. Raises
    InputError with advice for any other."""
    end = packed[-_END_SIZE:]
    size = int.from_bytes(end[12:16], "little")
    wrong = ""
    if len(packed) > MODEL_BYTES:
        wrong = f"the zip has {len(packed):,} bytes; up to {MODEL_BYTES:,} are accepted"
    elif len(end) < _END_SIZE or not end.startswith(_END) or end[-2:] != b"\0\0":
        other = "the file is empty" if not packed else "this is not a zip but a file of another kind"
        wrong = "the zip is cut short, or ends in a comment" if packed.startswith(_START) else other
    elif packed[-_END_SIZE - 20 :].startswith(_ZIP64_LOCATOR):
        wrong = "this is a zip64, which only huge archives need"
    elif size > _LONGEST_LIST:
        wrong = f"the zip lists its entries in {size:,} bytes; up to {_LONGEST_LIST:,} are accepted"
    if wrong:
        raise InputError(f"{wrong}; {advice}")
    with _complete(advice):
        return ZipFile(BytesIO(packed))


def path_of(entry: ZipInfo) -> str:
    """Return the path of an entry; zips made on Windows may separate folders by backslashes."""
    return entry.orig_filename.replace("\\", "/")


def members(archive: ZipFile) -> list[ZipInfo]:
    """Return the files of a zip, without folders and what their windows keep there."""
    return [each for each in archive.infolist() if path_of(each)[-1:] != "/" and not _PASSED_OVER.search(path_of(each))]


@contextmanager
def _complete(advice: str) -> Iterator[None]:
    """Turn any error from reading a damaged zip into an InputError."""
    try:
        yield
    except Exception as error:
        raise InputError(f"the zip cannot be read to its end ({error}); {advice}") from error


def _named(entries: list[ZipInfo], allowed: Mapping[str, int], ratio: int) -> dict[str, ZipInfo]:
    """Return the entries by file name. Raises InputError unless all are readable and small enough in total."""
    files: dict[str, ZipInfo] = {}
    folders = set()
    for entry in entries:
        path = path_of(entry)
        if _PASSED_OVER.search(path):
            continue
        _check(entry, ratio)
        folder, _, name = path.rpartition("/")
        folders.add(folder)
        if not name:
            continue
        if name not in allowed:
            pickled = "is or may be pickled, and reading a pickle can run anything; weights are accepted as safetensors"
            other = f"is not a file of a model; accepted are {', '.join(allowed)}"
            raise InputError(f"{_quoted(path)} {pickled if _PICKLED.search(name) else other}")
        if name in files and path_of(files[name]) == path:
            raise InputError(f"{_quoted(entry.orig_filename)} is in the zip twice; a model has one {name}")
        files[name] = entry
    if len(folders) > 1 or any("/" in folder for folder in folders):
        listed = ", ".join(_quoted(folder) if folder else "no folder" for folder in sorted(folders)[:3])
        raise InputError(f"the zip has files in {listed}; put them all at its top, or all in one folder")
    total = sum(entry.file_size for entry in files.values())
    if total > MODEL_BYTES:
        raise InputError(f"unpacked it would have {total:,} bytes; up to {MODEL_BYTES:,} are accepted")
    return files


def _check(entry: ZipInfo, ratio: int) -> None:
    """Check that an entry is an ordinary, visible file or folder with a path inside the zip."""
    name, kind = _quoted(entry.orig_filename), stat.S_IFMT(entry.external_attr >> 16)
    path = path_of(entry)
    if path.startswith("/") or ".." in path.split("/") or re.search(r"[:\0]", path):
        raise InputError(f"{name} does not stay in the folder of the zip; names such as my-model/config.json do")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InputError(f"{name} is {'a link' if kind == stat.S_IFLNK else 'no file'}; only plain files are accepted")
    if entry.file_size > ratio * max(1, entry.compress_size):
        raise InputError(f"{name} would grow to {entry.file_size:,} bytes, over {ratio} times its size in the zip")


def read_entry(archive: ZipFile, entry: ZipInfo, advice: str = REPACK) -> bytes:
    """Return an entry's contents. Raises InputError if they are encrypted, packed by a method that could make Python
    read endlessly, or longer than announced."""
    name = _quoted(entry.orig_filename)
    if entry.flag_bits & _ENCRYPTED:
        raise InputError(f"{name} is encrypted; pack it without a password")
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise InputError(f"{name} is packed by method {entry.compress_type}; deflate and stored are accepted")
    with _complete(advice), archive.open(entry) as file:
        content = file.read(entry.file_size)  # reads no more than announced; at the end, the checksum is compared
    if len(content) != entry.file_size:
        raise InputError(f"{name} has {len(content):,} bytes, the zip says {entry.file_size:,}")
    return content


def _quoted(name: str) -> str:
    """Return an untrusted name in quotes, cut to a readable length."""
    return repr(name if len(name) <= 80 else f"{name[:79]}…")
