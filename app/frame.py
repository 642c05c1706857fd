"""The page around every screen: title, navigation, width."""

import streamlit as st

from app.navigation import FIRST, SECTIONS

st.set_page_config(page_title="Regard: attention, number by number", page_icon="👁️", layout="wide")
st.navigation(
    {
        section: [
            st.Page(f"screens/{name}/screen.py", title=title, icon=icon, url_path=name, default=name == FIRST)
            for name, title, icon in screens
        ]
        for section, screens in SECTIONS.items()
    },
    position="top",
).run()
