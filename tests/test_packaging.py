import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import regard
from benchmarks.server import PORT, ROOT, serve
from regard.__main__ import EXTRAS
from regard.app import theme
from regard.model.checkpoint import ALIKE
from tests.support.theme_colours import CONFIG, contrast

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
APP_PINS, TEST_PINS = (
    dict(re.findall(r"^([\w-]+)==([^\s;]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
    for name in ("requirements.txt", "requirements-test.txt")
)
SHIPPED = [
    path.relative_to(ROOT).as_posix()
    for folder in ("app", "model", "pretrained", "regard")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.is_file() and path.suffix != ".pyc" and not path.parent.name.endswith(".run")
    if path != ROOT / "pretrained" / "pyproject.toml" and path.parent != ROOT / "pretrained" / "recipe"
]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of both wheels, as `make wheels` builds them."""
    folder = tmp_path_factory.mktemp("wheel")
    built = [".", "./pretrained", "--no-deps", "--no-build-isolation", "--wheel-dir", folder]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *built], cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(wheels: Path) -> Path:
    return next(wheels.glob("regard-*.whl"))


@pytest.fixture(scope="module")
def models_wheel(wheels: Path) -> Path:
    return next(wheels.glob("regard_models-*.whl"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment that has the wheel; what it depends on is read from the one that the tests run in."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    packages = packages_of(folder)
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", packages, wheel]
    subprocess.run(command, check=True, capture_output=True)
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))  # whose own .pth files are not followed
    return folder


def packages_of(environment: Path) -> Path:
    return Path(sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)}))


def said_by(environment: Path, code: str, folder: Path) -> str:
    """Return what the environment's Python prints in a folder."""
    command = [environment / "bin" / "python", "-c", code]
    return subprocess.run(command, cwd=folder, env={}, check=True, capture_output=True, text=True).stdout


def test_two_wheels_carry_app_model_and_weights_the_first_less_than_half(wheel: Path, models_wheel: Path) -> None:
    own, compared = (set(zipfile.ZipFile(one).namelist()) for one in (wheel, models_wheel))
    content = own | compared
    assert not own & compared
    assert 2 * wheel.stat().st_size < wheel.stat().st_size + models_wheel.stat().st_size
    assert {path.split("/")[2] for path in compared if path.startswith("regard/")} == set(ALIKE)
    assert not {path if path.startswith("regard/") else f"regard/{path}" for path in SHIPPED} - content
    assert {Path(path).suffix for path in content} >= {
        ".py",
        ".css",
        ".js",
        ".toml",
        ".json",
        ".safetensors",
        ".csv",
        ".md",
    }
    assert "regard/pretrained/en-fr/model.safetensors" in own


def test_the_wheels_state_the_licence_of_everything_in_them(wheel: Path, models_wheel: Path) -> None:
    stated = {}
    for path in (wheel, models_wheel):
        with zipfile.ZipFile(path) as content:
            names = content.namelist()
            metadata = content.read(next(name for name in names if name.endswith("/METADATA"))).decode()
        stated[path] = metadata.partition("License-Expression: ")[2].partition("\n")[0]
        models = {name.split("/")[2] for name in names if re.match("regard/pretrained/en-fr[^/]*/", name)}
        cards = {name.split("/")[-2] for name in names if "/licenses/" in name and name.endswith("/README.md")}
        assert models == cards
    assert stated[wheel] == "Apache-2.0 AND CC-BY-SA-4.0 AND LicenseRef-regard-weights"
    assert stated[models_wheel] == "LicenseRef-regard-weights"


def test_the_wheels_carry_nothing_else(wheel: Path, models_wheel: Path) -> None:
    content = [*zipfile.ZipFile(wheel).namelist(), *zipfile.ZipFile(models_wheel).namelist()]
    assert {path.split("/")[0].split("-")[0] for path in content} == {"regard", "regard_models"}
    assert not [path for path in content if path.endswith("pyproject.toml") or "pretrained/recipe" in path]


def test_a_model_of_the_second_wheel_says_how_to_get_it_and_then_loads(
    environment: Path, models_wheel: Path, tmp_path: Path
) -> None:
    asked = (
        "import regard\n"
        "try: regard.load('en-fr-dot')\n"
        "except ValueError as error: print(error)\n"
        "import zipfile\n"
        f"zipfile.ZipFile({str(models_wheel)!r}).extractall({str(packages_of(environment))!r})\n"
        "print(regard.load('en-fr-dot').name)\n"
    )
    told = said_by(environment, asked, tmp_path)
    assert "en-fr-dot is not installed; pip install ./pretrained in a checkout of Regard brings" in told
    assert told.endswith("\nen-fr-dot\n")


def test_the_package_works_beside_a_project_that_has_folders_of_the_same_names(
    environment: Path, tmp_path: Path
) -> None:
    (tmp_path / "model.py").write_text("mine = 1")
    for folder in ("app", "tests", "pretrained"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("mine = 2")
    (tmp_path / "script.py").write_text(
        "import app, model, regard, tests\n"
        "print(model.mine, app.mine, regard.__file__)\n"
        "print(regard.translate(regard.load(), 'I love you.').text)\n"
        "import regard.app.main\n"
    )
    command = [environment / "bin" / "python", "script.py"]
    done = subprocess.run(command, cwd=tmp_path, env={}, check=True, capture_output=True, text=True)
    told, translated = done.stdout.splitlines()
    assert told.split()[:2] == ["1", "2"]
    assert told.split()[2].startswith(str(environment))
    assert translated == "Je t'aime."


def test_an_environment_gets_no_package_but_regard(environment: Path) -> None:
    asked = "from importlib.util import find_spec; print(*filter(find_spec, ['app', 'model', 'pretrained', 'regard']))"
    assert said_by(environment, asked, environment).split() == ["regard"]


def test_the_installed_command_serves_the_app_from_any_folder_with_its_settings(
    environment: Path, tmp_path: Path
) -> None:
    """Without them Streamlit collects statistics and asks a host of its own for metrics."""
    command = [str(environment / "bin" / "python"), str(packages_of(environment) / "bin" / "regard"), "--port", PORT]
    with serve(command, tmp_path, [("STREAMLIT_SERVER_HEADLESS", "true"), ("PYTHONPATH", "")]) as served:
        assert served.url.startswith("http://127.0.0.1:")
    names = ("browser.gatherUsageStats", "server.maxUploadSize", "theme.dark.primaryColor")
    asked = f"import streamlit, regard.app.main as main; print(main.__file__, *map(streamlit.get_option, {names}))"
    main = packages_of(environment) / "regard" / "app" / "main.py"
    told = said_by(environment, asked, tmp_path).split()
    assert told == [str(main), "False", "64", CONFIG["theme"]["dark"]["primaryColor"]]


@pytest.mark.parametrize(
    "checker", [("mypy", "--strict", "--python-executable"), ("basedpyright", "--pythonpath")], ids=lambda one: one[0]
)
@pytest.mark.parametrize("place", ["wheel", "checkout"])
def test_type_checkers_see_through_the_package(
    checker: tuple[str, ...], place: str, environment: Path, tmp_path: Path
) -> None:
    """A page of right lines and, at its end, a wrong one."""
    right = (ROOT / "tests" / "support" / "typed_page.py").read_text(encoding="utf-8")
    (tmp_path / "page.py").write_text(f"{right}wrong: int = regard.translate(model, 'a')\n", encoding="utf-8")
    python = str(environment / "bin" / "python") if place == "wheel" else sys.executable
    command = [sys.executable, "-m", *checker, python, "page.py"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.stdout.count("error:") == 1, done.stdout
    assert f"page.py:{len(right.splitlines()) + 1}:" in done.stdout


def test_the_installed_package_shows_a_trace_in_the_apps_colours(environment: Path, tmp_path: Path) -> None:
    told = said_by(environment, "from regard.app.export.document import variables; print(variables())", tmp_path)
    assert CONFIG["theme"]["dark"]["primaryColor"] in told


def test_the_packages_in_use_are_those_pinned() -> None:
    pins = APP_PINS | TEST_PINS
    assert {name: version(name).split("+")[0] for name in pins} == pins


def test_everything_the_wheel_asks_for_is_pinned() -> None:
    extras = [requirement for extra in PROJECT["optional-dependencies"].values() for requirement in extra]
    asked = {re.split(r"[<>=;\[]+", requirement)[0] for requirement in [*PROJECT["dependencies"], *extras]}
    assert asked <= APP_PINS.keys() | {"regard", "regard-models", "redis"}  # the last is for several servers
    assert not {"pytest", "transformers"} & APP_PINS.keys()


def test_the_libraries_of_an_extra_are_named_where_they_are_missing() -> None:
    for extra, libraries in EXTRAS.items():
        asked = {re.split(r"[<>=;]+", requirement)[0] for requirement in PROJECT["optional-dependencies"][extra]}
        assert set(libraries) <= asked


def test_what_can_be_installed_is_named_and_nothing_else() -> None:
    """No index has a distribution `regard`: it comes from a checkout or a wheel."""
    command = ["git", "ls-files", "*.py", "*.js", "*.md", ":!tests", ":!CHANGELOG.md"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    text = "".join((ROOT / name).read_text("utf-8") for name in listed)
    assert not re.findall(r"pip install ['\"]?regard\b", text)
    extras = {*re.findall(r"'\.\[(\w+)\]'", text)}
    assert {"app", "plot", "train"} <= extras <= PROJECT["optional-dependencies"].keys()


def test_the_changelog_begins_with_this_version() -> None:
    headings = re.findall(r"^## (?!Unreleased)(\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == regard.__version__


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("background", ["backgroundColor", "secondaryBackgroundColor"])
@pytest.mark.parametrize("ink", ["textColor", "primaryColor", "linkColor"])
def test_text_stands_out_from_every_background(mode: str, background: str, ink: str) -> None:
    assert contrast(CONFIG["theme"][mode][ink], CONFIG["theme"][mode][background]) >= 4.5


def test_charts_use_the_colours_of_the_figures() -> None:
    assert tuple(CONFIG["theme"]["chartCategoricalColors"]) == theme.CATEGORIES
    assert CONFIG["theme"]["chartDivergingColors"][::9] == [theme.SIGNED[0][1], theme.SIGNED[-1][1]]
    assert theme.SIGNED_DARK[2][1] == CONFIG["theme"]["dark"]["backgroundColor"]
