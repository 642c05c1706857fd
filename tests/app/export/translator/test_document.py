import json
import re
import shutil
from pathlib import Path

import pytest

from regard.app.components.shared.modules import script
from regard.app.export.translator.document import HERE, compressed, page, site, weights
from regard.model.cards.record_files import FORMAT, SCORES_FILE, TRAINING
from regard.model.checkpoint import DEFAULT, WEIGHTS, Pretrained, load
from regard.model.checkpoint import shipped as shipped_folder
from regard.model.transformer.checkpoint import load_any
from tests.support.exported_page import Parts
from tests.support.run_command import call

LARGEST = {False: 21e6, True: 12e6}  # bytes of a page with a shipped model, and with its weights rounded


def test_it_may_ask_nobody_and_a_site_its_own_folder_alone(tiny_model: Pretrained, tmp_path: Path) -> None:
    index, weights = site([tiny_model], tmp_path)
    for document, connects in ((page([tiny_model]), False), (index.read_text(encoding="utf-8"), True)):
        parts = Parts(document)
        policy = dict(rule.split(" ", 1) for rule in (parts.values("content")[0] or "").split("; "))
        assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert policy["script-src"].startswith("'sha256-")
        assert policy.get("connect-src") == ("'self'" if connects else None)
        assert parts.values("src") == []
        assert parts.values("href") == ["data:,"]
        assert not {*"<>&"} & {*parts.text["script"][0]}  # its data cannot end their element
    assert weights.read_bytes() == (tiny_model.folder / WEIGHTS).read_bytes()


def test_what_rounding_costs_is_told_of_the_weights_that_were_measured(tiny_model: Pretrained, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(tiny_model.folder, copy)
    found = {"pairs": 1234, "shipped": {"bleu": {"score": 45.51}}, "rounded": {"bleu": {"score": 45.37}}}
    for fingerprint, told in (
        (tiny_model.fingerprint, "copy reaches BLEU 45.4 instead of 45.5, measured by this page's engine on 1,234"),
        ("of other weights", "The cost of rounding copy has not been measured."),
    ):
        scores = {"format": FORMAT, "model": {"fingerprint": fingerprint}, "page": found}
        (copy / SCORES_FILE).write_text(json.dumps(scores), encoding="utf-8")
        assert told in "".join(Parts(page([load(copy)], rounded=True)).text["p"])
        assert told not in page([load(copy)])


@pytest.mark.parametrize("name", [DEFAULT, "en-fr-transformer"])
@pytest.mark.parametrize("is_rounded", [False, True])
def test_a_shipped_model_fits(name: str, is_rounded: bool) -> None:
    model = load_any(shipped_folder(name))
    without = page([model], rounded=True)
    held = max(len(text) for text in re.findall(r'id="weights-0">([^<]*)<', without))
    assert len(without.encode()) - held + len(compressed(weights(model, is_rounded))) < LARGEST[is_rounded]


def test_the_engine_is_modules_of_which_each_is_needed() -> None:
    code = script(HERE.parent / "engine" / "index.js")
    engine = HERE.parent / "engine"
    files = {"_".join(file.relative_to(engine).with_suffix("").parts) for file in engine.rglob("*.js")}
    assert set(re.findall(r"^const export_engine_(\w+)_module = ", code, re.MULTILINE)) == files - {"index"}
    assert not re.search(r"^(import|export) ", code, re.MULTILINE)
    assert not any(door in code for door in ("fetch(", "XMLHttpRequest", "document.", "innerHTML", "eval("))


def test_modules_in_a_circle_are_named(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text('import { b } from "./two.js";\nexport const a = 1;\n')
    (tmp_path / "two.js").write_text('import { a } from "./one.js";\nexport const b = 1;\n')
    with pytest.raises(ImportError, match="one → two → one"):
        script(tmp_path / "one.js")


def test_a_page_of_no_models_or_of_two_of_one_name_is_refused(tiny_model: Pretrained) -> None:
    with pytest.raises(ValueError, match="no models"):
        page([])
    with pytest.raises(ValueError, match="different names"):
        page([tiny_model, tiny_model])


def test_the_command_writes_what_the_function_makes(tiny_model: Pretrained, tmp_path: Path) -> None:
    file, folder = tmp_path / "regard.html", str(tiny_model.folder)
    status, out, told = call("export", "--model", folder, "--html", str(file))
    assert (status, told) == (0, "")
    assert out.decode().startswith(f"{file}, ")
    assert file.read_text(encoding="utf-8") == page([tiny_model])
    assert call("export", "--model", folder, "--int8", "--site", str(tmp_path / "site"))[0] == 0
    assert {path.name for path in (tmp_path / "site").iterdir()} == {"index.html", f"{tiny_model.name}.safetensors"}
    status, _, told = call("export", "--model", str(tmp_path / "nowhere"), "--html", str(file))
    assert status == 1
    assert "nowhere is not a model folder" in told


@pytest.mark.parametrize(
    "content", ["[]", '{"format": 1, "source', "3", "", '{"format": 1, "source_tokens": []}', '{"format": 2}']
)
def test_a_training_record_that_cannot_be_read_keeps_no_model_off_the_page(
    content: str, tiny_model: Pretrained, tmp_path: Path
) -> None:
    shutil.copytree(tiny_model.folder, folder := tmp_path / "mine")
    (folder / TRAINING).write_text(content, encoding="utf-8")
    assert "<html" in page([load_any(folder)])
