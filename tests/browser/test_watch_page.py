import io
import json
import re
import zipfile
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.support.axe import check
from tests.support.browser_navigation import PATIENCE, go, opened, settled
from tests.support.run_command import call

TRAINING = 5 * PATIENCE  # milliseconds: on an idle machine it takes a tenth
PERCENT = re.compile(r"([\d.]+)%")


def open_page(page: Page, url: str, link: str = "") -> Locator:
    return opened(page, f"{url}/watch{link}", "[data-testid=learning]")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def update(learning: Locator) -> int:
    """After which the weights and predictions are that are seen."""
    return int(learning.get_attribute("data-update") or 0)


def in_sight(page: Page, part: Locator) -> bool:
    """Return True if the part ends above the window's lower edge."""
    box, window = part.bounding_box(), page.viewport_size
    assert box
    assert window
    return box["y"] + box["height"] <= window["height"]


def weights(learning: Locator) -> list[list[float]]:
    """The matrix on screen, in percent."""
    rows = learning.locator("tbody tr:has([data-testid=weight])").all()
    return [[float(cell) for cell in row.get_by_test_id("weight").all_inner_texts()] for row in rows]


def test_reversal_is_learned_to_99_percent_and_stepped_with_the_numbers_of_the_command_line(
    page: Page, app_url: str, console_errors: list[str], tmp_path: Path
) -> None:
    learning = open_page(page, app_url, "?longest=4")  # learned in half the time of the usual eight
    press(page, "Start")
    expect(learning).to_have_attribute("data-state", "finished", timeout=TRAINING)
    expect(page.get_by_test_id("status")).to_contain_text("99% exact reached after")
    exact = learning.get_by_test_id("curve-exact").get_attribute("aria-label") or ""
    assert float(PERCENT.findall(exact)[-1]) >= 99
    assert in_sight(page, learning.locator(".attention tbody tr").last), "all of the weights are in the first view"
    seen = weights(learning)
    places = [row.index(max(row)) for row in seen[:-1]]
    assert places == list(range(len(places)))[::-1], "the anti-diagonal"
    rows = learning.locator(".predictions tbody tr")
    example = " ".join(rows.first.locator(".read .symbol").all_inner_texts())

    with page.expect_download() as downloading:
        press(page, "Download the model")
    zipfile.ZipFile(io.BytesIO(Path(downloading.value.path()).read_bytes())).extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    told = json.loads(call("translate", "--model", str(folder), "--json", example)[1])
    assert told["text"]["target"] == " ".join(reversed(example.split()))

    press(page, "Open in the stepper")
    expect(page.locator("p.translation")).to_have_text(told["text"]["target"])
    expect(page.get_by_test_id("network")).to_be_visible()
    settled(page)
    page.get_by_test_id("picture-alignment").click()
    page.get_by_test_id("view").click()
    page.get_by_test_id("units-tokens").click()
    page.keyboard.press("End")
    cells = [float(cell.get_attribute("data-value") or "nan") for cell in page.get_by_test_id("heat-cell").all()]
    assert cells == [float(weight) for row in told["weights"] for weight in row]
    go(page, "Watch it learn")
    expect(page.get_by_test_id("status")).to_contain_text("99% exact reached after")
    expect(learning.get_by_test_id("right")).to_have_text("5 of 5 right")
    assert weights(learning) == seen, "what was sent once is sent again to a page that is opened again"
    assert console_errors == []


def test_a_run_is_paused_stepped_scrubbed_reloaded_and_gone_on_with(page: Page, app_url: str) -> None:
    learning = open_page(page, app_url)
    press(page, "One step")
    expect(learning).to_have_attribute("data-state", "paused")
    expect(learning).to_have_attribute("data-update", "1")
    first = weights(learning)
    expect(page.get_by_role("button", name="One step")).to_be_focused()
    page.keyboard.press("Enter")
    expect(learning).to_have_attribute("data-update", "2")
    assert weights(learning) != first
    press(page, "Resume")
    expect(learning).to_have_attribute("data-state", "running")
    expect(page.get_by_test_id("status")).to_contain_text("tokens a second")
    press(page, "Pause")
    expect(learning).to_have_attribute("data-state", "paused")
    settled(page)
    newest = update(learning)
    assert newest > 2
    page.get_by_test_id("scrub").focus()
    page.keyboard.press("Home")
    expect(learning).to_have_attribute("data-update", "1")
    assert weights(learning) == first
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("where")).to_have_text("after update 2")
    page.reload()
    expect(learning).to_have_attribute("data-update", str(newest))
    expect(learning).to_have_attribute("data-state", "paused")
    settled(page)
    press(page, "Stop")
    expect(learning).to_have_attribute("data-state", "stopped")
    settled(page)
    expect(page.get_by_role("button", name="Open in the stepper")).to_be_enabled()
    press(page, "Go on")
    expect(learning).to_have_attribute("data-state", "running")
    press(page, "Stop")
    expect(learning).to_have_attribute("data-state", "stopped")


def test_two_runs_are_drawn_on_the_same_axes_and_everyone_can_read_them(page: Page, app_url: str) -> None:
    def show() -> None:
        learning = open_page(page, app_url, "?other=true&longest=12")
        press(page, "One step")
        expect(learning).to_have_attribute("data-update", "1")
        expect(learning.get_by_role("article")).to_have_count(2)
        expect(learning.get_by_role("article").last).to_contain_text("no attention")
        expect(learning.get_by_test_id("curve-loss").locator("path.line")).to_have_count(2)
        press(page, "Stop")
        expect(learning).to_have_attribute("data-state", "stopped")

    check(page, show)
