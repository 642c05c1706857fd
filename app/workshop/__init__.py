"""Trainings that visitors start run in processes of their own: view.py, process.py, worker.py, workshop.py."""
