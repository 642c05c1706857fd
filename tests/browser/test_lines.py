from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.support.browser_navigation import settled

LONG = " ".join(["The old man who is talking to a woman in a red dress bought a black dog and a white cat"] * 2) + "."
IN_SIGHT = """stepper => {
  const place = each => stepper.querySelector(each).getBoundingClientRect();
  const [row, word] = [place(".targets"), place(".targets .current")];
  const [names, weights, sums] = [place(".heat thead"), place(".heat .current"), place(".heat tfoot th")];
  const between = weights.top >= names.bottom - 1 && weights.bottom <= sums.top + 1;
  return word.left >= row.left && word.right <= row.right && between;
}"""


def test_the_word_that_is_written_is_in_sight_at_every_step(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_url}/?sentence={quote(LONG)}&picture=alignment")
    stepper = page.get_by_test_id("stepper")
    expect(stepper).to_be_visible()
    settled(page)
    page.keyboard.press("End")
    last = int(stepper.get_attribute("data-step") or "")
    for step in range(last, 0, -5):
        expect(stepper).to_have_attribute("data-step", str(step))
        page.wait_for_function(IN_SIGHT, arg=stepper.element_handle())
        for _ in range(5):
            page.keyboard.press("ArrowLeft")
