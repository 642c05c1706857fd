"""Traces as pages: one HTML file that steps offline, and the same page as a notebook's output.

Nothing here needs Streamlit, Plotly or torch. Reading order: document is the file, page makes it of traces or of given
attention and says how each number is made, notebook frames it. Then engine, a model in JavaScript, translator, the page
that holds models and translates by itself, and text_report, that page below the table of a text.
"""
