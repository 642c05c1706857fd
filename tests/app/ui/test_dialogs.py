from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from regard.app.ui.dialogs import OPENERS, is_first

    for opener in OPENERS:
        if st.button(opener, key=opener) and is_first(opener):
            st.dialog(opener)(lambda: st.write("open"))()


def test_of_dialogs_that_are_asked_for_at_once_the_first_opens() -> None:
    screen = AppTest.from_function(page).run()
    for button in screen.button[1:]:
        button.click()
    screen.run()
    assert not screen.exception
    assert [text.value for text in screen.markdown] == ["open"]
