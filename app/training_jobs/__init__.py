"""Visitors' trainings, run in separate processes; nothing here knows Streamlit.

Reading order: status, history, job, fair_share, scheduler, process, forkserver, worker, training_loop.
"""
