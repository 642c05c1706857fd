from regard.app.server.page_style import APP, SHEETS

OTHERWISE = {  # printed documents, a component of its own, and a rule for part of the time
    "worked_example/paper.css",
    "screens/learn/locked.css",
    "screens/learn/title.css",
    "screens/worksheet/page.css",
    "screens/worksheet/sheet.css",
}


def test_the_sheet_of_every_screen_goes_out_with_the_start_page() -> None:
    found = [sheet for folder in ("screens", "ui", "worked_example") for sheet in (APP / folder).rglob("*.css")]
    assert {sheet.relative_to(APP).as_posix() for sheet in found} | {"style.css"} == {*SHEETS} | OTHERWISE
    assert len(SHEETS) == len({*SHEETS})
