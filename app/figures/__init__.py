"""Figures to study and to export: from a trace to a Plotly figure, without Streamlit and without torch."""
