"""Figures to study and to export: from a trace to a Plotly figure, without Streamlit and without torch.

Reading order: heatmap and bars, which others build on, table for the CSV, then one figure per module; `lesson/` has the
lesson's.
"""
