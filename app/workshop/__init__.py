"""Visitors' trainings run in processes of their own: view.py, process.py, nursery.py, worker.py, workshop.py."""
