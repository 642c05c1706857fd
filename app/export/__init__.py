"""Traces as a page of their own: one HTML file that steps offline, and the same page as a notebook's output.

Nothing here needs Streamlit, Plotly or torch. Reading order: page makes the document, notebook frames it, changes and
number_text are what the page tells beyond the stepper, colours gives it the app's theme.
"""
