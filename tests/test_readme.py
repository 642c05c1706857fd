import re
from collections import Counter
from importlib import import_module
from pathlib import Path

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
