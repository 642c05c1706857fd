"""Visitors' trainings, run in separate processes; nothing here knows Streamlit.

Reading order: worker, scheduler.
"""
