"""Visitors' trainings, run in processes of their own; nothing here knows Streamlit.

Reading order: status, history, job, fair_share, scheduler, process, forkserver, worker, training_loop.
"""
