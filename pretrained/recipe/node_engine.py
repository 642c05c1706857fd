"""Node engine: translations by the page's own engine outside a browser, with the same modules in Node."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

from regard.app.components.shared.modules import script
from regard.model.checkpoint import TOKENIZER, AnyModel
from regard.model.input_error import InputError

ENTRY = Path(__file__).parent / "node_engine.js"
MISSING = "the page's engine is measured in Node, and there is none: install it (apt-get install nodejs), or playwright"


def node() -> str:
    """Return the path of Node, or of Playwright's own Node. Raises InputError if there is neither."""
    if found := shutil.which("node"):
        return found
    try:
        import playwright
    except ModuleNotFoundError as error:
        raise InputError(MISSING) from error
    return str(Path(playwright.__file__).parent / "driver" / "node")


def translated(model: AnyModel, weights: bytes, sentences: Sequence[str]) -> Iterator[str]:
    """Yield the greedy translation of each sentence, computed as a page with these weights would."""
    with TemporaryDirectory() as folder:
        files = {
            "engine.mjs": script(ENTRY).encode(),
            "about.json": json.dumps(about(model)).encode(),
            "weights": weights,
        }
        paths = [Path(folder) / name for name in files]
        for path in paths:
            path.write_bytes(files[path.name])
        with subprocess.Popen(
            [node(), *map(str, paths)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        ) as engine:
            asked, answers = cast(IO[str], engine.stdin), cast(IO[str], engine.stdout)
            for sentence in sentences:
                asked.write(json.dumps(sentence) + "\n")
                asked.flush()
                answer = answers.readline()
                if not answer:
                    raise InputError(f"{node()} ended before “{sentence}” was translated; its output is above")
                yield json.loads(answer)


def about(model: AnyModel) -> dict[str, object]:
    """Return the engine's data about a model, apart from its weights."""
    tokenizer = json.loads((model.folder / TOKENIZER).read_text(encoding="utf-8"))
    return {
        "name": model.name, "fingerprint": model.fingerprint, "config": asdict(model.config), "tokenizer": tokenizer,
    }  # fmt: skip
