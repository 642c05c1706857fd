"""A real browser and what it visits; a machine without a browser fails these tests, it does not skip them."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from benchmarks.chromium import arguments, executable
from benchmarks.server import serve
from regard.app.export.translator.document import page as page_of
from regard.model.cards.record_files import HISTORY
from regard.model.checkpoint import Pretrained, load
from regard.model.data.corpus import Pair
from regard.model.tokenizer import Tokenizer
from regard.model.training.snapshots import SNAPSHOTS, Snapshots, look
from tests.support import firefox
from tests.support.browser_navigation import PATIENCE, complaints
from tests.support.model_zips import doubted
from tests.support.small_texts import PAIRS
from tests.support.small_translator import write_translator

FAMILY = {
    "en-fr-general": {},
    "en-fr-bahdanau": {"score": "concat", "wiring": "bahdanau"},
    "en-fr-dot": {"score": "dot", "cell": "gru"},
    "en-fr-none": {"score": "none", "initial_state": "encoder"},
}
ONE_PROCESS = ("--process-per-site", "--disable-features=SpareRendererForSitePerProcess")
UPDATES = (1, 7, 30)  # after which the first of the family was watched
WATCHED = tuple(Pair(*sides) for sides in PAIRS[:3])

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any],
    playwright: Playwright,
    browser_name: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Any]:
    """Chromium, or Firefox where `--browser firefox` asks for it."""
    try:
        if browser_name == "firefox":
            program = firefox.stand_in(tmp_path_factory.mktemp("firefox"))
            return {**browser_type_launch_args, "executable_path": program, "channel": "moz-firefox"}
        found = executable(playwright)
    except FileNotFoundError as error:
        pytest.fail(str(error))
    return {**browser_type_launch_args, "executable_path": found, "args": [*arguments(), *ONE_PROCESS]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Nothing moves by itself, as for a visitor who asks for that."""
    return {**browser_context_args, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def context(browser: Browser, browser_context_args: dict[str, Any], app_url: str) -> Iterator[BrowserContext]:
    """One visitor for all journeys, who has been here before; their browser fetches and compiles Streamlit only once. A
    page that stays open keeps the process alive that has it compiled, in which all others are shown too."""
    visitor = browser.new_context(**browser_context_args)
    visitor.add_init_script("try { localStorage.setItem('regard-seen', '1') } catch {}")
    visitor.new_page().goto(f"{app_url}/_stcore/health")
    visitor.set_default_timeout(PATIENCE)
    yield visitor
    visitor.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    opened = context.new_page()
    yield opened
    opened.close()


@pytest.fixture
def console_errors(page: Page) -> list[str]:
    return complaints(page)


@pytest.fixture(scope="session")
def family(tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pretrained]:
    """Four tiny models, by name; they end their sentences, so that pages of them are as long as a visitor's."""
    folder = tmp_path_factory.mktemp("family")
    for name, otherwise in FAMILY.items():
        write_translator(folder / name, tokenizer, **otherwise)
    return {name: load(folder / name) for name in FAMILY}


@pytest.fixture(scope="session")
def translator_file(tiny_model: Pretrained, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page that holds a model, as a file."""
    file = tmp_path_factory.mktemp("page") / "regard.html"
    file.write_text(page_of([doubted(tiny_model, file.parent)[0]]), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def recorded(make_model: Callable[..., Pretrained]) -> Snapshots:
    """Three moments of learning, each as other weights would have it."""
    seen = Snapshots(WATCHED, ())
    for update, score in zip(UPDATES, ("dot", "concat", "general"), strict=True):
        model = make_model(score=score)
        seen = seen.with_moment(look(model.network, model.tokenizer, WATCHED, update))
    return seen


@pytest.fixture(scope="session")
def family_url(
    family: dict[str, Pretrained], recorded: Snapshots, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of the app with the family in place of its own models; the first was watched while it learned."""
    folder = tmp_path_factory.mktemp("family")
    for name, model in family.items():
        shutil.copytree(model.folder, folder / name)
    first = folder / next(iter(family))
    recorded.save(first / SNAPSHOTS)
    (first / HISTORY).write_text("update,loss,validation_loss\n10,5.0,4.5\n30,3.0,2.5\n", encoding="utf-8")
    with serve(environment=[("REGARD_PRETRAINED", str(folder))]) as served:
        yield served.url
