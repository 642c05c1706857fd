"""Figures to study and to export: from a trace to a Plotly figure, without Streamlit and without torch.

Reading order: heatmap and token_bars, which others build on; table for the CSV; context, token_sampling,
training, measures and transformer, one subject each; lesson.
"""
