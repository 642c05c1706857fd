"""The page around every screen: its title in the browser, navigation, tabs, and the glossary behind a question mark."""

from collections.abc import Callable
from typing import Literal
from urllib.parse import parse_qs

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.glossary.terms import OPENERS, glossary
from regard.app.navigation import BEHIND, FIRST, MOVED, SECTIONS, TITLES, Screen, place, script, tabs
from regard.app.server import draining
from regard.app.visitor.old_links import renewed

HERE = (  # highlights the open group; Streamlit highlights links in the bar, but not sections
    "<style>[data-testid=stHeader] .rc-overflow-item:nth-child({}) :is([data-testid=stTopNavSection], a)"
    "{{ font-weight: 700; box-shadow: inset 0 -3px currentColor; }}</style>"
)


def page(screen: Screen, visibility: Literal["visible", "hidden"] = "visible") -> st.Page:
    return st.Page(
        script(screen.name),
        title=screen.menu or screen.title,
        icon=screen.icon,
        url_path=screen.name,
        default=screen.name == FIRST,
        visibility=visibility,
    )


def leading_to(name: str) -> Callable[[], None]:
    """Return a page for an old address, which redirects to the new one with all parameters."""

    def redirect() -> None:
        link = st.query_params
        st.switch_page(script(name), query_params={key: link.get_all(key) for key in link})

    return redirect


def pages() -> dict[str, list[st.Page]]:
    """Return all pages by section."""
    sections = {section: [page(screen) for screen in screens] for section, screens in SECTIONS.items()}
    sections[""] += [page(screen, "hidden") for screen in BEHIND]
    sections[""] += [st.Page(leading_to(new), url_path=old, visibility="hidden") for old, new in MOVED.items()]
    return sections


def main() -> None:
    st.set_page_config(  # before the navigation, which would otherwise fetch an icon
        page_icon="👁️",
        layout="wide",
        initial_sidebar_state="collapsed",  # zooming in moves the menu there, where it would cover the page
    )
    if "pages" not in st.session_state:  # building them takes as long as everything else around a screen
        st.session_state.pages = pages()
    chosen = st.navigation(st.session_state.pages, position="top")
    name = chosen.url_path or FIRST
    if name not in MOVED:
        st.set_page_config(page_title=f"{TITLES[name]} · Regard")
        around(name)
        draining.tell()
        link = {key: st.query_params.get_all(key) for key in st.query_params}
        if (today := renewed(name, link | gone_back_to())) != link:
            st.switch_page(chosen, query_params=today)
    chosen.run()


def gone_back_to() -> dict[str, list[str]]:
    """Return the whole link that the browser's Back led to, or an empty one. Streamlit drops parameters that the
    screen being left also has, such as the step of two tabs."""
    context = get_script_run_ctx()
    if context is None or not context.is_history_navigation:
        return {}
    link = parse_qs(context.query_string, keep_blank_values=True)
    return {name: values for name, values in link.items() if not name.startswith("embed")}


def around(name: str) -> None:
    """Draw the parts that every screen has: the highlighted group, its tabs, and the glossary."""
    st.html(HERE.format(place(name)))
    with st.container(key="help"):
        if st.button("Glossary", icon=":material/question_mark:", key=OPENERS[0]):
            glossary(name)
    if together := tabs(name):
        with st.container(horizontal=True, gap="xsmall", key="tabs"):
            for other, label in together.items():
                st.page_link(script(other), label=label)


main()
