"""The page around every screen: title, navigation, width."""

from pathlib import Path

import streamlit as st

SCREENS = (
    ("translate", "Translate", ":material/translate:"),
    ("compare", "Compare", ":material/view_column:"),
    ("bottleneck", "Bottleneck", ":material/compress:"),
    ("alignment", "Is attention an alignment?", ":material/link:"),
    ("explanation", "Is attention an explanation?", ":material/help_center:"),
    ("learning", "Learning to look", ":material/timeline:"),
)

st.set_page_config(page_title="Regard: attention, number by number", page_icon="👁️", layout="wide")
st.html(Path(__file__).with_name("style.css"))
st.navigation(
    [
        st.Page(f"screens/{name}.py", title=title, icon=icon, url_path=name, default=name == "translate")
        for name, title, icon in SCREENS
    ],
    position="top",
).run()
