"""JavaScript modules of the app, run by the Node that Playwright brings."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import playwright

from regard.app.components.shared.modules import script

NODE = str(Path(playwright.__file__).parent / "driver" / "node")
APP = Path(__file__).parent.parent.parent / "app"
SHARED, STEPPER = APP / "components" / "shared", APP / "components" / "stepper"


def evaluated(expression: str, imports: Mapping[Path, str], before: str = "") -> Any:
    """An expression's value, by way of JSON; it may use these names of these files, and what the lines before make."""
    with TemporaryDirectory() as folder:
        entry = Path(folder).resolve() / "entry.js"
        lines = [
            f'import {{ {names} }} from "./{os.path.relpath(file, entry.parent)}";' for file, names in imports.items()
        ]
        entry.write_text("\n".join([*lines, before, f"console.log(JSON.stringify({expression}));"]), encoding="utf-8")
        command = [NODE, "--input-type=module", "-"]
        answer = subprocess.run(command, input=script(entry), check=True, capture_output=True, text=True)
    return json.loads(answer.stdout)
