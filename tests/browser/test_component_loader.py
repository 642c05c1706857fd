"""A component whose script is still on its way."""

import json

from playwright.sync_api import Page, Route

from regard.app.components.shared.component import LOADER

STUB = """
export const dress = (place) => place.replaceChildren();
export default ({ parentElement, text }) => {
  parentElement.textContent = text;
  return () => { parentElement.textContent = ""; };
};
"""
ASK = """async (loader) => {
  const early = loader.replace("script = await", "window.mount = mount;\\nscript = await");
  window.arrived = import(URL.createObjectURL(new Blob([early], { type: "text/javascript" })));
  const [once, twice, gone] = Array.from({ length: 3 }, () => document.body.appendChild(document.createElement("p")));
  while (!window.mount) await new Promise(requestAnimationFrame);
  mount({ parentElement: once, text: "once" });
  const first = mount({ parentElement: twice, text: "first" });
  mount({ parentElement: twice, text: "second" });
  first();
  mount({ parentElement: gone, text: "gone" })();
}"""


def test_a_component_mounted_before_its_script_arrives_is_drawn_then(page: Page, app_url: str) -> None:
    """As WebKit asks, for all components of a kind but the first."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/stub.js", hold)
    page.goto(f"{app_url}/_stcore/health")
    with page.expect_request("**/stub.js"):
        page.evaluate(ASK, LOADER.substitute(address=json.dumps("/stub.js")))
    drawn = page.locator("p")
    assert drawn.all_text_contents() == ["", "", ""]
    held[0].fulfill(body=STUB, content_type="text/javascript")
    page.evaluate("window.arrived")
    assert drawn.all_text_contents() == ["once", "second", ""]
    page.evaluate("() => { mount({ parentElement: document.body, text: 'at once' }); }")
    assert page.locator("body").inner_text() == "at once"
