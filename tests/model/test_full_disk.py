"""A file that was saved earlier survives a disk that is full when it is saved again."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import regard
from regard.app.export.translator.document import site
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from tests.support.run_command import call

WRITERS: dict[str, Callable[[Trace, Path], object]] = {
    "a trace": lambda trace, path: trace.save(path),
    "any attention": lambda _, path: regard.show([[1.0]], ["I"], ["je"]).save(path),
}
COMMANDS = {
    "translate": ("I love you.", "--html"),
    "report": ("--source", "SOURCE", "--html"),
    "report, a table": ("--source", "SOURCE", "--tsv"),
    "export": ("--html",),
}


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file saved earlier, on a disk that takes half of what is written now."""

    def write(path: Path, content: bytes | str, **_: object) -> None:
        whole = content.encode() if isinstance(content, str) else content
        with path.open("wb") as file:
            file.write(whole[: len(whole) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    (tmp_path / "index.html").write_text("earlier", encoding="utf-8")
    monkeypatch.setattr(Path, "write_bytes", write)
    monkeypatch.setattr(Path, "write_text", write)
    return tmp_path / "index.html"


def is_whole(saved: Path) -> bool:
    return [*saved.parent.iterdir()] == [saved] and saved.read_text(encoding="utf-8") == "earlier"


@pytest.mark.parametrize("name", WRITERS)
def test_what_python_saved_earlier_stays_whole(name: str, before: Trace, saved: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        WRITERS[name](before, saved)
    assert is_whole(saved)


def test_a_site_that_was_written_earlier_keeps_its_page(tiny_model: Pretrained, saved: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        site([tiny_model], saved.parent)
    assert is_whole(saved)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_wrote_earlier_stays_whole(
    name: str, tiny_model: Pretrained, saved: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = tmp_path_factory.mktemp("text") / "a.en"
    with source.open("w", encoding="utf-8") as file:
        file.write("the cat\n")
    options = (str(source) if option == "SOURCE" else option for option in COMMANDS[name])
    status, _, told = call(name.partition(",")[0], "--model", str(tiny_model.folder), *options, str(saved))
    assert (status, f"{saved}: No space left on device" in told) == (1, True)
    assert is_whole(saved)
