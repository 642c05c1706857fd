from collections.abc import Sequence
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser_navigation import settled

SENTENCES = (
    "I love you.",
    "The man in a red shirt is walking.",
    "The boy who is wearing a blue shirt is playing football with his friends in the park.",
    " ".join(["The old man who is talking to a woman in a red dress bought a black dog and a white cat"] * 2) + ".",
)
SEEN = [(2, (390, 1366)), (3, (1366,))]  # which sentence, and widths
# At every step: lines of which a visible point lies within the visible part of a token that the line does not end at.
CROSSED = r"""async stepper => {
  const CURVE = /^M(\S+) (\S+)C(\S+) (\S+) (\S+) (\S+) (\S+) (\S+)$/;
  const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const along = ends => Array.from({ length: 41 }, (_, i) => [0, 1].map(axis => {  // a cubic Bézier curve
    const [t, u] = [i / 40, 1 - i / 40];
    const [a, b, c, d] = [0, 2, 4, 6].map(place => ends[place + axis]);
    return u ** 3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t ** 3 * d;
  }));
  const said = [];
  let drawn = 0;
  stepper.focus();
  const slider = stepper.querySelector("[data-testid=slider]");
  for (let step = 1; step <= Number(slider.max); step += 1) {
    slider.value = step;
    slider.dispatchEvent(new Event("input"));
    await frame();
    for (const sentence of stepper.querySelectorAll(".sentence")) {
      const around = sentence.getBoundingClientRect();
      const inside = ({ left, right, top, bottom }) =>
        ({ left: Math.max(left, around.left), right: Math.min(right, around.right), top, bottom });
      const chips = [...sentence.querySelectorAll(".chip")].map(chip => inside(chip.getBoundingClientRect()));
      const covers = (chip, x, y) => x > chip.left && x < chip.right && y > chip.top + 1 && y < chip.bottom - 1;
      for (const path of sentence.querySelectorAll(".row-lines path:not([hidden])")) {
        drawn += 1;
        const [, ...ends] = path.getAttribute("d").match(CURVE);
        const points = along(ends.map(Number))
          .map(([x, y]) => [x + around.left, y + around.top])
          .filter(([x]) => x > around.left && x < around.right);
        if (points.some(([x, y]) => chips.some(chip => covers(chip, x, y)))) said.push(`step ${step}`);
        const current = sentence.querySelector(".targets .current").getBoundingClientRect();
        const [from] = points;
        if (!from || from[0] < current.left || from[0] > current.right) said.push(`step ${step} begins elsewhere`);
      }
    }
  }
  return [drawn, said];
}"""

IN_SIGHT = """stepper => {
  const place = each => stepper.querySelector(each).getBoundingClientRect();
  const [row, word] = [place(".targets"), place(".targets .current")];
  const [names, weights, sums] = [place(".heat thead"), place(".heat .current"), place(".heat tfoot th")];
  const between = weights.top >= names.bottom - 1 && weights.bottom <= sums.top + 1;
  return word.left >= row.left && word.right <= row.right && between;
}"""


def crossed(page: Page) -> list[str]:
    drawn, said = page.get_by_test_id("stepper").evaluate(CROSSED)
    assert drawn
    return said


@pytest.mark.parametrize(("which", "widths"), SEEN)
def test_no_line_crosses_a_word_that_it_does_not_lead_to(
    which: int, widths: Sequence[int], page: Page, app_url: str
) -> None:
    page.set_viewport_size({"width": widths[0], "height": 768})
    page.goto(f"{app_url}/?sentence={quote(SENTENCES[which])}&picture=alignment")
    expect(page.get_by_test_id("stepper")).to_be_visible()
    settled(page)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 768})
        assert crossed(page) == [], width
        for row in page.locator(".stepper :is(.sources, .targets)").all():
            tops = row.locator(".chip").evaluate_all("chips => chips.map(chip => chip.getBoundingClientRect().top)")
            assert len(set(tops)) == 1, width


def test_the_word_that_is_written_is_in_sight_at_every_step(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_url}/?sentence={quote(SENTENCES[3])}&picture=alignment")
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
