"""Tables in TOML beside the module that reads them."""

import tomllib
from pathlib import Path
from typing import Any


def toml_beside(module: str, name: str) -> dict[str, Any]:
    """Return the content of the file `name` in the folder of a module, given by its `__file__`."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))
