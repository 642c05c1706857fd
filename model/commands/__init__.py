"""What `python -m model` can be told to do, one command a file."""
