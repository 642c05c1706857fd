"""Traces as pages: one HTML file that steps offline, and the same page as a notebook's output.

Nothing here needs Streamlit, Plotly or torch. Reading order: document is the file, page makes it of traces and says how
each number is made, notebook frames it, attention_page does both for any attention, text_report joins the pages of a
text. Then engine, a model in JavaScript, and translator, the page that holds models and translates by itself.
"""
