"""Provenance: the origin and licence of text, recognised by a file's contents rather than by its name."""

import gzip
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from regard.model.files import toml_beside

SOURCES = toml_beside(__file__, "provenance.toml")  # published collections, each with licence and attribution
KNOWN = {sha256: source for source in SOURCES.values() for sha256 in source["files"]}


@dataclass(frozen=True)
class Recorded:
    """A file's name without folders, and the SHA-256 of its decompressed contents."""

    name: str
    sha256: str


def recorded(path: Path) -> Recorded:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        return Recorded(path.name, hashlib.file_digest(file, "sha256").hexdigest())


def notices(files: Iterable[Recorded]) -> list[str]:
    """Return a Markdown item for each collection the files come from, and one for all unknown files."""
    names: dict[str, list[str]] = {}
    for file in files:
        source = KNOWN.get(file.sha256)
        notice = (
            f"**{source['name']}**. {source['notice']}" if source else "origin and licence not known to this program"
        )
        names.setdefault(notice, []).append(f"`{file.name}`")
    return [f"- {notice} ({', '.join(dict.fromkeys(listed))})" for notice, listed in names.items()]
