from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from regard.model.checkpoint import Pretrained
from regard.model.decoding.beam import grow
from regard.model.decoding.beam_tree import BeamSettings
from tests.support.axe import check
from tests.support.browser_navigation import link_value, opened, settled

SENTENCE = "He does not like coffee."
LINK = f"?sentence={quote(SENTENCE)}&beam_width=4"


def open_page(page: Page, url: str, link: str = LINK) -> Locator:
    opened(page, f"{url}/beam{link}", "[data-testid=beam-node]")
    return page.get_by_test_id("beam")


def focused(page: Page) -> str:
    """Return a screen reader's name of the focused node."""
    return page.get_by_test_id("tree").evaluate("box => box.getRootNode().activeElement.getAttribute('aria-label')")


def test_the_best_path_spells_the_best_translation_and_any_opens_in_the_stepper(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    open_page(page, app_url)
    told = page.get_by_test_id("hypothesis").first.inner_text()
    path = page.locator("[data-testid=beam-node].best .word").all_text_contents()
    assert "".join(text.removeprefix("·") for text in path[1:-1]) == told.replace(" ", "")
    assert console_errors == []
    text = page.get_by_test_id("hypothesis").nth(1).inner_text()
    page.get_by_test_id("open").nth(1).click()
    expect(page.get_by_test_id("stepper")).to_be_visible()
    expect(page.locator("p.translation")).to_have_text(text)


def test_the_keyboard_walks_the_tree_and_expands_a_pruned_branch_that_a_reload_brings_back(
    page: Page, app_url: str, shipped: Pretrained
) -> None:
    open_page(page, app_url)
    tree = grow(shipped, SENTENCE, BeamSettings(4))
    page.locator("[data-testid=beam-node][data-fate=kept]").first.focus()
    page.keyboard.press("Home")
    page.wait_for_url("**node=0*")
    page.keyboard.press("ArrowRight")
    assert focused(page).startswith(f"“{tree.nodes[tree.best[0]].token.strip()}”, log-probability")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("why")).to_contain_text("Pruned: number")
    page.keyboard.press("ArrowLeft")
    assert focused(page).startswith(f"“{tree.nodes[tree.best[0]].token.strip()}”, log-probability")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    added = page.locator("[data-fate='by hand']")
    expect(added).to_have_count(4)
    settled(page)
    path = link_value(page.url, "expanded")
    assert path.startswith(f"{tree.nodes[tree.best[0]].token_id}.")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("why")).to_contain_text("Not in the beam: added by hand")
    chosen = page.get_by_test_id("chosen").text_content()
    page.wait_for_function("path => new URL(location.href).searchParams.get('node')?.startsWith(path)", arg=f"{path}.")
    page.reload()
    expect(added).to_have_count(4)
    settled(page)
    expect(page.get_by_test_id("chosen")).to_have_text(chosen or "")
    page.go_back()
    expect(added).to_have_count(0)
    page.go_forward()
    expect(added).to_have_count(4)
    page.get_by_test_id("reset").click()
    expect(added).to_have_count(0)
    settled(page)
    assert link_value(page.url, "expanded") == ""


def test_the_slider_grows_the_tree_and_says_what_was_kept_and_nothing_moves(page: Page, app_url: str) -> None:
    beam = open_page(page, app_url)
    slider, seen = page.get_by_test_id("slider"), page.locator("[data-testid=beam-node]:not(.future)")
    parts = [page.get_by_test_id(name) for name in ("tree", "why", "sums", "likeliest", "ranking")]
    slider.focus()
    before, whole = [part.bounding_box() for part in parts], seen.count()
    page.keyboard.press("Home")
    expect(page.get_by_test_id("announce")).to_contain_text("The search begins")
    expect(seen).to_have_count(1)
    counts = []
    for step in range(1, int(slider.get_attribute("max") or "") + 1):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_test_id("announce")).to_contain_text(f"Step {step} of")
        counts.append(seen.count())
    assert counts == sorted(counts)
    assert counts[-1] == whole
    assert [part.bounding_box() for part in parts] == before
    expect(beam.locator(".step.now")).to_have_text(f"step {len(counts)}")


def test_everyone_can_read_it_and_on_a_phone_the_tree_scrolls_in_its_box(page: Page, app_url: str) -> None:
    def show() -> None:
        open_page(page, app_url)
        page.locator("[data-testid=beam-node][data-fate=pruned]").first.click()

    check(page, show)
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, app_url, f"?sentence={quote('The man in a red shirt is walking.')}&beam_width=4")
    box, chosen = page.get_by_test_id("tree"), page.locator("[data-testid=beam-node].chosen")
    expect(page.get_by_test_id("chosen")).to_contain_text(
        (chosen.locator(".word").text_content() or "nothing").removeprefix("·")
    )
    inside = """node => {
      const [place, box] = [node, node.closest(".tree-box")].map(one => one.getBoundingClientRect());
      return place.left >= box.left && place.right <= box.right && place.top >= box.top && place.bottom <= box.bottom;
    }"""
    page.wait_for_function(f"node => ({inside})(node)", arg=chosen.element_handle())
    assert box.evaluate("box => box.scrollLeft") > 0
    assert page.evaluate("document.scrollingElement.scrollTop") == 0
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    page.get_by_test_id("hypothesis").first.click()
    expect(page.get_by_test_id("why")).to_contain_text("number 1 of 4")
