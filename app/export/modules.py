"""JavaScript modules as one script, for a page that may load nothing and so cannot import.

Each module becomes a function that is called once and gives what it exports; what it imports is taken from there. That
is all that the engine's files need: `import { a, b } from "./file.js";` and `export` before a `const` or `function`.
"""

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function) (\w+))", re.MULTILINE)


def joined(folder: Path, entry: str) -> str:
    """The module `entry` and all that it needs, in the order of need; what it exports is global in the script.

    Raises ValueError where modules need each other in a circle.
    """
    written: dict[str, str] = {}

    def add(name: str, needed_by: tuple[str, ...]) -> None:
        if name in needed_by:
            raise ValueError(f"these modules need each other: {' → '.join((*needed_by, name))}")
        if name in written:
            return
        text = (folder / f"{name}.js").read_text(encoding="utf-8")
        for _, other in IMPORT.findall(text):
            add(other, (*needed_by, name))
        written[name] = _closed(name, text)

    add(entry, ())
    exported = ", ".join(EXPORT.findall((folder / f"{entry}.js").read_text(encoding="utf-8")))
    return "\n".join([*written.values(), f"const {{ {exported} }} = {_called(entry)};"])


def _closed(name: str, text: str) -> str:
    exported = ", ".join(EXPORT.findall(text))
    body = EXPORT.sub("", IMPORT.sub(lambda match: f"const {{{match[1]}}} = {_called(match[2])};", text))
    return f"const {_called(name)} = (() => {{\n{body}return {{ {exported} }};\n}})();"


def _called(name: str) -> str:
    return f"{name}_module"
