from regard.app.navigation import BEHIND, SECTIONS, TABS, place


def test_the_bar_has_four_screens_and_three_groups_of_at_most_four_and_leads_to_every_other_screen() -> None:
    alone, *groups = SECTIONS.values()
    assert [len(alone), len(groups)] == [4, 3]
    assert max(map(len, groups)) <= 4
    assert all(place(screen.name) for screen in BEHIND if screen.name not in ("glossary", "join"))
    assert all(place(name) == place(next(iter(together))) for together in TABS for name in together)
