"""Figures to study and to export: from a trace to a Plotly figure, without Streamlit and without torch.

Reading order: heatmap and token_bars, which others build on; table for the CSV; token_sampling and
measures, one subject each; lesson.
"""
