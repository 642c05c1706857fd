import csv
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from regard.model.checkpoint import load, shipped
from regard.model.translate import write
from tests.support.run_command import call

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PLAN, _, BUILT = (ROOT / "docs" / "folders.md").read_text(encoding="utf-8").partition("## How it is built")
MOST = 20  # files that one reads first


def test_the_files_to_read_first_are_there_and_few() -> None:
    files = re.findall(r"^\d+\. `([^`]+)`", BUILT, re.MULTILINE)
    assert 0 < len(files) <= MOST
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_the_readme_takes_five_minutes() -> None:
    assert len(re.sub(r"<!-- (\w+):start.*?\1:end -->", "", README, flags=re.DOTALL).split()) < 1500


def test_every_link_of_the_documentation_leads_to_a_file() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    links = [
        (page, link) for page in pages for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 30
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_every_import_of_the_documentation_works() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    imports = re.findall(r"^from (regard[\w.]*) import (\w+)$", text, re.MULTILINE)
    assert ("regard.app.export.page", "page") in imports
    assert [(module, name) for module, name in imports if not hasattr(import_module(module), name)] == []


def test_every_command_and_script_of_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "en-fr.tsv").write_text(
        "".join(f"The cat has {n} mats.\tLe chat a {n} tapis.\n" for n in range(300)), encoding="utf-8"
    )
    tutorial = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8").replace("--updates 500", "--updates 2")
    commands = [line for block in re.findall(r"```sh\n(.*?)```", tutorial, re.DOTALL) for line in block.splitlines()]
    scripts = "".join(re.findall(r"```python\n(.*?)```", tutorial, re.DOTALL))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", scripts]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    for line in commands:
        program, *arguments = shlex.split(line)
        status, _, told = call(*arguments)
        assert (program, status) == ("regard", 0), told
    assert len(commands) == 5
    assert (tmp_path / "my-model" / "README.md").is_file()
    assert [path.name for path in sorted(tmp_path.glob("*.html"))] == ["car.html", "my-model.html"]


def test_the_plan_names_every_file_of_the_code_once_and_no_other() -> None:
    named = []
    for folder, files in re.findall(r"^- \*\*`([^`]+)`\*\*(.*?)(?=^- |^$)", PLAN, re.MULTILINE | re.DOTALL):
        for name in re.findall(r"`([^`]+)`", files):
            stem, _, endings = name.partition(".")
            named += [f"{folder}{stem}.{ending}" for ending in (endings or "py").split("/.")]
    inside = [file for part in ("app", "model") for file in (ROOT / part).rglob("*.*")]
    code = [
        file.relative_to(ROOT).as_posix()
        for file in [*inside, *(ROOT / "regard").glob("*.py")]
        if file.suffix in (".py", ".js", ".css", ".toml") and file.name != "__init__.py"
    ]
    assert Counter(named) == Counter(code)


def test_the_first_script_translates_a_thousand_sentences(tmp_path: Path) -> None:
    script = README.partition("## From Python")[2].partition("```python\n")[2].partition("```")[0]
    command = [sys.executable, "-c", script]
    environment = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True)
    assert "Elle a acheté une voiture rouge." in done.stdout
    assert "car (" in done.stdout
    assert "Elle a acheté" in (tmp_path / "car.html").read_text(encoding="utf-8")
    with (tmp_path / "books.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert [row[0] for row in rows] == [f"He has {number} books." for number in range(1000)]
    assert [row[1] for row in rows[:5]] == write(load(shipped()), [row[0] for row in rows[:5]])
    assert "1000/1000" in done.stderr
