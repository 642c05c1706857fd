import re
from pathlib import Path

import pytest

from regard.app.components.shared.modules import APP, EXPORT, IMPORT, script

OWN = [file for folder in ("components", "export") for file in sorted((APP / folder).rglob("*.js"))]
MODULES = [file for file in OWN if file.name != "gifenc.js"]  # of other people, fetched when it is asked for


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.relative_to(APP).as_posix())
def test_every_import_names_an_export_and_is_used(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    own = IMPORT.sub("", text)
    assert not re.search(r"^import ", own, re.MULTILINE)
    for names, path in IMPORT.findall(text):
        exported = EXPORT.findall((file.parent / f"{path}.js").read_text(encoding="utf-8"))
        for name in filter(None, re.split(r"[,\s]+", names)):
            assert name in exported, (name, path)
            assert re.search(rf"\b{name}\b", own), (name, path)


def test_an_entry_keeps_its_names_and_hides_those_of_the_modules_it_needs(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text('import { b } from "./two.js";\nconst hidden = 2;\nexport const a = b + hidden;\n')
    (tmp_path / "two.js").write_text("const hidden = 1;\nexport const b = hidden;\n")
    code = script(tmp_path / "one.js")
    assert code.count("const hidden") == 2
    assert code.endswith("const a = b + hidden;\n")
    assert not re.search(r"^(import|export) ", code, re.MULTILINE)
