"""Web assets of the components: JavaScript modules as one script, and style sheets as one text.

Streamlit takes one script per component, and a page that may load nothing cannot import. So each module that the entry
needs becomes a function that is called once and returns its exports for the other modules. The entry
itself comes last, unchanged, with its names in the script's scope. Our files use only `import { a, b } from
"./file.js";` and `export` before a `const`, a `class`, a `function` or a `function*`.
"""

import re
from collections.abc import Sequence
from pathlib import Path

APP = Path(__file__).resolve().parent.parent.parent
STEPPER = APP / "components" / "stepper"
IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]*)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|class|function\*?) (\w+))", re.MULTILINE)


def script(entry: Path) -> str:
    """Return a module after all the modules it imports. Raises ImportError for a circular import."""
    written: dict[Path, str] = {}

    def add(file: Path, needed_by: tuple[Path, ...]) -> None:
        if file in needed_by:
            circle = " → ".join(path.stem for path in (*needed_by, file))
            raise ImportError(f"these modules import each other: {circle}")
        if file in written:
            return
        text = file.read_text(encoding="utf-8")
        for _, other in IMPORT.findall(text):
            add(_other(file, other), (*needed_by, file))
        written[file] = _linked(file, text) if file == entry else _closed(file, text)

    entry = entry.resolve()
    add(entry, ())
    return "\n".join(written.values())


def style(folder: Path, names: Sequence[str]) -> str:
    """Join style sheets in this order; each lies in the component's folder, or here if it is shared."""
    sheets = (folder / f"{name}.css" for name in names)
    return "\n".join(
        (sheet if sheet.is_file() else Path(__file__).parent / sheet.name).read_text(encoding="utf-8")
        for sheet in sheets
    )


def stepper_style() -> str:
    """Return the style sheet of the stepper and the network's picture, for light and dark."""
    return "\n".join([style(STEPPER, ("colours", "base", "stepper")), style(STEPPER.parent / "network", ("network",))])


def _linked(file: Path, text: str) -> str:
    """Rewrite imports to the modules before it; exports keep their names in the script."""
    return EXPORT.sub("", IMPORT.sub(lambda match: f"const {{{match[1]}}} = {_called(_other(file, match[2]))};", text))


def _closed(file: Path, text: str) -> str:
    exported = ", ".join(EXPORT.findall(text))
    return f"const {_called(file)} = (() => {{\n{_linked(file, text)}return {{ {exported} }};\n}})();"


def _other(file: Path, path: str) -> Path:
    return (file.parent / f"{path}.js").resolve()


def _called(file: Path) -> str:
    """Return a unique name, because two folders may have files of the same name."""
    parts = file.relative_to(APP) if file.is_relative_to(APP) else Path(file.name)
    return "_".join([*parts.with_suffix("").parts, "module"])
