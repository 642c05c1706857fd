"""The page around every screen: title, navigation, width."""

from pathlib import Path

import streamlit as st

st.set_page_config(page_title="Regard: attention, number by number", page_icon="👁️", layout="wide")
st.html(Path(__file__).with_name("style.css"))
st.navigation(
    [st.Page("screens/translate.py", title="Translate", icon=":material/translate:", default=True)],
    position="top",
).run()
