"""Figures to study and to export: pure functions from a trace to a Plotly figure. They know no Streamlit and no torch."""
