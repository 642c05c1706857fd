import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.axe import check_open
from tests.support.browser_navigation import opened, settled

LINK = "?model=reverse-transformer&sentence=2+5+9+1&step=2&picture=alignment"


def test_a_head_is_chosen_by_mouse_and_keyboard_switched_off_and_undone(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    opened(page, f"{app_url}/{LINK}")
    name, said = page.get_by_test_id("head-name"), page.get_by_test_id("announce")
    expect(name).to_have_text("layer 2, mean of the heads")
    expect(page.get_by_test_id("score-bar")).to_have_count(0)
    page.get_by_role("button", name="layer 1, head 2").click()
    expect(name).to_have_text("layer 1, head 2")
    expect(said).to_contain_text("head 2 of layer 1 looks")
    expect(page.get_by_test_id("score-bar").first).to_be_visible()
    page.get_by_role("button", name="layer 1, head 2").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(name).to_have_text("layer 2, head 3")
    expect(page.get_by_role("button", name="layer 2, head 3")).to_be_focused()
    for key in ("Home", "End"):  # to the encoder's heads, and back
        page.keyboard.press(key)
        expect(page.get_by_role("button", name="layer 2, head 3")).to_be_focused()
    page.get_by_test_id("attention-decoder").click()
    expect(said).to_contain_text("looks back")
    expect(page).to_have_url(re.compile("(?=.*attention=decoder)(?=.*layer=2)(?=.*head=3)"))
    page.get_by_test_id("head-off").click()
    expect(name).to_have_text("layer 2, head 3, switched off")
    expect(page).to_have_url(re.compile("heads_off"))
    page.reload()
    expect(name).to_have_text("layer 2, head 3, switched off")
    settled(page)
    page.get_by_role("button", name="Undo").click()
    expect(name).to_have_text("layer 2, head 3")
    page.get_by_test_id("attention-encoder").click()
    expect(said).to_contain_text(re.compile("^Reading 5 of 5: from"))
    page.get_by_test_id("control-next").click()
    page.get_by_test_id("control-next").click()
    expect(said).to_contain_text("Step 1 of")
    assert console_errors == []


def test_a_head_that_is_switched_off_has_no_largest_weight_on_the_page_and_in_its_picture(
    page: Page, app_url: str
) -> None:
    opened(page, f"{app_url}/{LINK}")
    off, grip, heaviest = (
        page.get_by_test_id("head-off"),
        page.get_by_test_id("line-grip"),
        page.locator(".bar.weight.heaviest"),
    )
    expect(off).to_be_disabled()
    expect(off).to_have_text("Choose a head to switch off")
    page.get_by_role("button", name="layer 1, head 2").click()
    check_open(page)
    expect(grip).to_be_visible()
    expect(heaviest).to_have_count(1)
    assert len(bold_sources(page)) == 1
    off.click()
    expect(page.get_by_test_id("head-name")).to_have_text("layer 1, head 2, switched off")
    settled(page)
    expect(grip).to_be_hidden()
    expect(heaviest).to_have_count(0)
    assert bold_sources(page) == []


def bold_sources(page: Page) -> list[str]:
    """The source words that are bold in the picture of the step."""
    page.get_by_test_id("share").click()
    with page.expect_download() as download:
        page.get_by_test_id("keeping").get_by_role("button", name="Picture (SVG)").click()
    drawing = Path(download.value.path()).read_text(encoding="utf-8")
    return re.findall(r'fill="#0069A5" text-anchor="middle" font-weight="700"', drawing)


def test_a_number_of_a_head_opens_its_arithmetic_and_its_weights_are_set_beside_those_before(
    page: Page, app_url: str
) -> None:
    opened(page, f"{app_url}/{LINK}&layer=2&head=1&edit=1&units=tokens")
    page.get_by_test_id("heat-cell").first.click()
    drawer = page.locator(".st-key-arithmetic")
    expect(drawer).to_contain_text("head 1, layer 2 of the cross-attention")
    expect(drawer).to_contain_text("NumPy recomputation")
    page.keyboard.press("Escape")
    after = page.get_by_test_id("stepper").locator("article").nth(1)
    after.get_by_test_id("weigh-equal").click()
    expect(page.locator(".st-key-changes-list")).to_contain_text("step 2: weights of cross attention, layer 2, head 1")
    expect(page).to_have_url(re.compile("head_weights"))
    settled(page)
    expect(after.get_by_test_id("weight-bar").first).to_contain_text("20.0%")
