"""Web assets of the components: scripts and style sheets, several files joined to one text."""

from collections.abc import Sequence
from pathlib import Path

SHARED = Path(__file__).parent


def joined(folder: Path, suffix: str, names: Sequence[str]) -> str:
    """The files of these names in this order; each lies in the component's folder, or here where several share it."""
    files = [_found(f"{name}.{suffix}", folder) for name in names]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _found(name: str, folder: Path) -> Path:
    return folder / name if (folder / name).is_file() else SHARED / name
